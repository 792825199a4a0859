import { Document, type Node, isNode } from 'yaml'

import type { DescribedSetting } from '../../configuration/settings.ts'

/** A tree of settings: an inner node, or the place of a setting. */
type Tree = Map<string, Tree | DescribedSetting>

/**
 * Writes settings as YAML in the shape of a configuration file, with the origin of each value as its
 * comment. Names of aliases and ids of accounts may contain any character.
 */
export function yamlOf(settings: readonly DescribedSetting[]): string {
  const root: Tree = new Map()
  for (const setting of settings) place(root, segmentsOf(setting.path), setting)
  const document = new Document(plainOf(root))
  document.commentBefore =
    ' The settings in effect, each with its origin. Of secrets it says only whether they are set.'
  comment(document.contents, root)
  return document.toString({ lineWidth: 0 })
}

/** `accounts[0].models` is `accounts`, `0`, `models`. */
function segmentsOf(path: string): string[] {
  const [, alias] = /^aliases\.(.*)$/s.exec(path) ?? []
  if (alias !== undefined) return ['aliases', alias]
  // An account of the store, whose id may contain dots.
  const [, id, field] = /^accounts\.(.*)\.(\w+)$/s.exec(path) ?? []
  if (id !== undefined && field !== undefined) return ['accounts', `id ${id}`, field]
  const [, storage, member] = /^uploads\.storages\.(.*)\.(\w+)$/s.exec(path) ?? []
  if (storage !== undefined && member !== undefined) return ['uploads', 'storages', storage, member]
  return path.split(/[.[\]]+/).filter((segment) => segment !== '')
}

function place(tree: Tree, [first = '', ...rest]: readonly string[], one: DescribedSetting): void {
  if (rest.length === 0) return void tree.set(first, one)
  const known = tree.get(first)
  const inner = known instanceof Map ? known : new Map<string, Tree | DescribedSetting>()
  tree.set(first, inner)
  place(inner, rest, one)
  const isStored = first.startsWith('id ') && !inner.has('id')
  if (isStored) inner.set('id', { ...one, value: first.slice('id '.length) })
}

/** The members whose own members have names that users choose, such as `0`. */
const named: ReadonlySet<string> = new Set(['aliases', 'storages'])

/** Lists are the trees whose members are numbers, or accounts of the store. */
function isList(tree: Tree, name: string): boolean {
  return !named.has(name) && [...tree.keys()].every((key) => /^(?:\d+$|id )/.test(key))
}

/** A map keeps a member `__proto__`. */
function plainOf(tree: Tree | DescribedSetting, name = ''): unknown {
  if (!(tree instanceof Map)) return tree.value
  if (isList(tree, name)) return [...tree.values()].map((value) => plainOf(value))
  return new Map([...tree].map(([key, value]) => [key, plainOf(value, key)]))
}

function comment(node: unknown, tree: Tree | DescribedSetting): void {
  if (!isNode(node)) return
  if (!(tree instanceof Map)) return note(node, tree)
  const { items } = node as Node & { readonly items: readonly unknown[] }
  for (const [index, value] of [...tree.values()].entries()) {
    const item = items[index]
    comment(isNode(item) ? item : (item as { readonly value: unknown }).value, value)
  }
}

function note(node: Node, { origin }: DescribedSetting): void {
  if ('items' in node) Object.assign(node, { flow: true })
  node.comment = ` ${origin.toLowerCase()}`
}
