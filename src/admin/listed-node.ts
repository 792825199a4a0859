/** An entry of a list in its order. A damaged one has no node. */
export interface ListedNode<Node> {
  readonly cursor: string
  readonly node: Node | undefined
}
