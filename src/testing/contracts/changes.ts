import { deepEqual, equal, ok } from 'node:assert/strict'

import type { GatewayPlugin } from '../../contract/plugin.ts'
import type { ContractCheck } from './check.ts'
import { type Served, requests, serve, servedDialects } from './served.ts'

/** The checks of a plugin's `onRequest` and `onEvents`; none for a plugin without them. */
export function changeChecks(make: () => GatewayPlugin): ContractCheck[] {
  const { onRequest, onEvents } = make()
  return [...(onRequest ? requestChecks(make) : []), ...(onEvents ? eventChecks(make) : [])]
}

function requestChecks(make: () => GatewayPlugin): ContractCheck[] {
  return [
    {
      name: 'changes requests so that every dialect carries them',
      async run() {
        for (const speaks of servedDialects) {
          await using served = await serve(make(), speaks)
          for (const example of requests) {
            const { status, text, headers } = await served.ask(example, false)
            equal(status, 200, `${example.path(false)}: ${text.slice(0, 200)}`)
            equal(headers.get('x-dragoman-losses'), null, `${example.path(false)} loses fields`)
          }
        }
      },
    },
    {
      name: 'changes a request beside others as it does alone',
      async run() {
        const alone: string[] = []
        for (const words of different) {
          await using served = await serve(make())
          await say(served, words, false)
          alone.push(...bodiesOf(served))
        }
        await using served = await serve(make())
        await Promise.all(different.map((words) => say(served, words, false)))
        deepEqual(bodiesOf(served).toSorted(), alone.toSorted())
      },
    },
  ]
}

function eventChecks(make: () => GatewayPlugin): ContractCheck[] {
  return [
    {
      name: 'edits a stream as it edits a whole reply',
      async run() {
        await using served = await serve(make())
        for (const words of different) {
          equal(await say(served, words, true), await say(served, words, false))
        }
      },
    },
    {
      name: 'edits a reply beside others as it does alone',
      async run() {
        await using served = await serve(make())
        const alone: string[] = []
        for (const words of different) alone.push(await say(served, words, true))
        const together = await Promise.all(different.map((words) => say(served, words, true)))
        deepEqual(together, alone)
        ok(
          together.some((text) => text !== ''),
          'no reply has a text',
        )
      },
    },
  ]
}

const different = ['one two three four', 'five six seven eight', 'nine ten eleven twelve']

/** Asks for words, which the account says back slowly. Resolves with the text of the reply. */
async function say(served: Served, words: string, stream: boolean): Promise<string> {
  const messages = [{ role: 'user', content: words }]
  const fields = { model: 'sandbox/echo+pace=2', messages }
  const asked = { dialect: 'chat', path: () => '/v1/chat/completions', fields, ending: /\[DONE\]/ }
  const { text, status } = await served.ask(asked, stream)
  equal(status, 200, text.slice(0, 200))
  if (!stream) return textOf(JSON.parse(text), 'message')
  const events = [...text.matchAll(/^data: (\{.*\})$/gm)]
  return events.map(([, data = '']) => textOf(JSON.parse(data), 'delta')).join('')
}

interface Said {
  readonly choices?: readonly Readonly<Record<string, { readonly content?: string | null }>>[]
}

function textOf(json: unknown, member: 'message' | 'delta'): string {
  const [choice] = (json as Said).choices ?? []
  return choice?.[member]?.content ?? ''
}

function bodiesOf({ sandbox }: Served): string[] {
  return sandbox.requests.map(({ body }) => body.toString())
}
