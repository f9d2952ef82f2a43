import { useState } from "react";
import { Button } from "./button";

export interface Props {
  title: string;
}

// Shows a page.
export function Page({ title }: Props) {
  const [open, setOpen] = useState(false);
  const toggle = () => setOpen(!open);
  return <Button onClick={toggle}>{title}</Button>;
}
