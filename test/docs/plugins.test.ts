import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { hookNames } from '../../src/contract/plugin.ts'
import type { GenerateEvent } from '../../src/generate/events.ts'
import type { GenerateRequest } from '../../src/generate/request.ts'
import { openPage, repository } from './pages.ts'

const page = openPage('docs/plugins.md')

test('every hook has an example in the page', () => {
  const examples = page.blocks('ts').join('\n')
  const without = hookNames.filter((name) => !new RegExp(`\\b${name}[:(]`).test(examples))
  expect(without).toEqual([])
})

const types: Record<GenerateEvent['type'], true> = {
  start: true,
  part: true,
  delta: true,
  signature: true,
  citation: true,
  end: true,
  stop: true,
  finish: true,
  error: true,
}

test('the page describes every event that a plugin may get', () => {
  const [, table = ''] = /^\| event \| fields \|\n\|[-|]+\|\n((?:\|.*\n)+)/m.exec(page.text) ?? []
  const described = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
  expect(described).toEqual(Object.keys(types))
})

/** Members of a table's first column, without the question marks. */
function firstColumn(head: RegExp): string[] {
  const [, table = ''] = head.exec(page.text) ?? []
  return [...table.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/`(\w+)\??`/g)].map(([, name = '']) => name),
  )
}

const members: Record<keyof GenerateRequest, true> = {
  stream: true,
  turns: true,
  tools: true,
  toolChoice: true,
  parallelToolCalls: true,
  output: true,
  verbosity: true,
  reasoning: true,
  sampling: true,
  maxOutputTokens: true,
  stop: true,
  candidates: true,
  logprobs: true,
  endUser: true,
  metadata: true,
  cacheKey: true,
  serviceTier: true,
  store: true,
  exchangeId: true,
  fields: true,
  settings: true,
  extras: true,
}

test('the page describes every member of a request', () => {
  const described = firstColumn(/^\| member \| content \|\n\|[-|]+\|\n((?:\|.*\n)+)/m)
  expect(described.toSorted()).toEqual(Object.keys(members).toSorted())
})

test('the page names the members that each stage adds to the exchange', () => {
  const source = readFileSync(join(repository, 'src/contract/exchange.ts'), 'utf8')
  const stages = [...source.matchAll(/^export interface (\w+)(?: extends (\w+))? \{\n([^]*?)^\}/gm)]
  const views = ['Received', 'Identified', 'Authenticated', 'Understood', 'Routed']
  for (const view of views) {
    const [, , , body = ''] = stages.find(([, name]) => name === view) ?? []
    const own = [...body.matchAll(/^  readonly (\w+)/gm)].map(([, name]) => name)
    expect(own.length, view).toBeGreaterThan(0)
    const [, adds = ''] =
      new RegExp(`^\\| \`${view}\` \\|[^|]*\\| (.*) \\|$`, 'm').exec(page.text) ?? []
    const named = adds.replaceAll(/\([^)]*\)/g, '')
    const described = [...named.matchAll(/`(\w+)`/g)].map(([, name]) => name)
    expect(described, view).toEqual(own)
  }
})
