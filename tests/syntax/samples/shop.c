/* Sells apples. */
#include <stdio.h>
#include "stock/shelf.h"

#define LIMIT 10
#define MAX(a, b) ((a) > (b) ? (a) : (b))

/* What was chosen. */
struct basket {
  int count;
};

typedef struct {
  int cents;
} price_t;

typedef enum { RED, GREEN } colour_t;

typedef int (*seller)(int);

static int sold = 0;

int shelf_count(const struct basket *b);

/**
 * Sells some.
 */
static int sell(struct basket *b, int count) {
  if (count > LIMIT)
    goto fail;
  shelf_take(b, count);
  return sold;
fail:
  return -1;
}

char *basket_name(struct basket *b)
{
  return b->vtable->name(b);
}
