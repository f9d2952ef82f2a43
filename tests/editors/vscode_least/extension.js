// A tree of one group with one row in it, as deep as *Now* is, known from the start.
const vscode = require('vscode');

const GROUP = 'group';
const ROW = 'row, because there is no other';

exports.activate = (context) => {
  const treeDataProvider = {
    getTreeItem: (node) => {
      const { Expanded, None } = vscode.TreeItemCollapsibleState;
      const item = new vscode.TreeItem(node, node === GROUP ? Expanded : None);
      item.accessibilityInformation = { label: node };
      return item;
    },
    getChildren: (node) => (node === undefined ? [GROUP] : node === GROUP ? [ROW] : []),
  };
  context.subscriptions.push(vscode.window.createTreeView('least.view', { treeDataProvider }));
};
