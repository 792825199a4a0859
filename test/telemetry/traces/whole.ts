import { expect } from 'vitest'

import type { ReceivedSpan } from './spans.ts'

/** The spans of one trace, from one exchange. Throws unless they are one tree, and every span has ended. */
export function wholeTrace(spans: readonly ReceivedSpan[], traceId: unknown): ReceivedSpan[] {
  const own = spans.filter((span) => span.traceId === traceId)
  const ids = own.map(({ spanId }) => spanId)
  const servers = own.filter(({ kind }) => kind === 'server')
  expect(servers).toHaveLength(1)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { parentId, kind, start, end } of own) {
    if (kind !== 'server') expect(ids).toContain(parentId)
    expect(start).toBeGreaterThan(1e12)
    expect(end).toBeGreaterThanOrEqual(start)
  }
  return own
}

/** The tree of a trace as lines: names, indented below their parents, in the order of their starts. */
export function treeOf(spans: readonly ReceivedSpan[], parentId?: string, indent = ''): string[] {
  const isRoot = ({ kind }: ReceivedSpan) => kind === 'server'
  const children = spans.filter((span) =>
    parentId === undefined ? isRoot(span) : span.parentId === parentId,
  )
  return children
    .toSorted((one, other) => one.start - other.start)
    .flatMap(({ name, spanId }) => [indent + name, ...treeOf(spans, spanId, `${indent}  `)])
}

/** The one span of a trace with this beginning of its name. Throws unless there is one. */
export function spanOf(spans: readonly ReceivedSpan[], beginning: string): ReceivedSpan {
  const found = spans.filter(({ name }) => name.startsWith(beginning))
  expect(found.map(({ name }) => name)).toHaveLength(1)
  return found[0] as ReceivedSpan
}
