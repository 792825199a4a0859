import { describe, expect, test } from 'vitest'

import { type GatewayPlugin, definePlugin } from '../../src/contract/plugin.ts'
import { pluginContract } from '../../src/testing/contracts/plugin.ts'
import { rewriting } from '../walks/events/guardrails.ts'
import { changing, clock, instructing, masking, offering } from '../walks/requests/changers.ts'
import { brokenBy } from './broken-by.ts'

const sound: [string, () => GatewayPlugin][] = [
  ['masks words', () => masking('one')],
  ['injects a system text', () => instructing('Be brief.')],
  ['adds a tool', () => offering(clock)],
  [
    'waits for each event',
    () =>
      definePlugin({
        name: 'waiting',
        onEvents: () => ({
          waits: true,
          async map(event, emit) {
            await new Promise((resolve) => setImmediate(resolve))
            emit(event)
          },
        }),
      }),
  ],
  ['writes other words', () => rewriting('one', 'two')],
]

describe.each(sound)('a plugin that %s', (_, make) => {
  for (const check of pluginContract({ make })) test(check.name, check.run)
})

const broken: [string, string, () => GatewayPlugin][] = [
  [
    'adds a tool that some dialects lack',
    'changes requests so that every dialect carries them',
    () => offering({ kind: 'custom', name: 'note' }),
  ],
  [
    'remembers other requests',
    'changes a request beside others as it does alone',
    () => {
      const texts: string[] = []
      return changing((request) => {
        texts.push(JSON.stringify(request.turns))
        const content = [{ type: 'text' as const, text: texts.join() }]
        return { ...request, turns: [{ role: 'system', content }, ...request.turns] }
      })
    },
  ],
  [
    'looks for words in single deltas',
    'edits a stream as it edits a whole reply',
    () => replacingIn((text) => text.replaceAll('one two', '***')),
  ],
  [
    'counts the deltas of all replies',
    'edits a reply beside others as it does alone',
    () => {
      let count = 0
      return replacingIn((text) => `${text}${++count}`)
    },
  ],
]

function replacingIn(change: (text: string) => string): GatewayPlugin {
  return definePlugin({
    name: 'replacing',
    onEvents: () => ({
      map(event, emit) {
        emit(event.type === 'delta' ? { ...event, text: change(event.text) } : event)
      },
    }),
  })
}

test.each(broken)('a plugin that %s does not keep the contract', async (_, check, make) => {
  expect(await brokenBy(pluginContract({ make }))).toContain(check)
})

test('a plugin without these hooks has no checks of them', () => {
  const names = (plugin: GatewayPlugin) =>
    pluginContract({ make: () => plugin }).map(({ name }) => name)
  const plain = names({ name: 'plain' })

  expect(names(masking('one')).length).toBe(plain.length + 2)
  expect(names(rewriting('one', 'two')).length).toBe(plain.length + 2)
})
