import type { ServerResponse } from 'node:http'

import type { LedgerRow } from '../../src/contract/ledger-row.ts'
import type { Store } from '../../src/stores/store.ts'
import { type Answer, type FakeAccount, startFakeAccount } from '../../src/testing/fake-account.ts'
import { until } from '../../src/testing/until.ts'
import type { LimitStage, StageOptions } from './stage.ts'

export const dayMs = 86_400_000

/** The id of the response that the account of a test runs in the background. */
export const responseId = 'resp_bg'

const running = { id: responseId, object: 'response', model: 'm', background: true }

/** How the account answers further requests, by their method and the end of their path: `GET resp_bg`. */
export type Answers = Readonly<Record<string, Answer>>

/** A state of the response, without its use unless `more` has it. */
export function stateOf(status: string, more: object = {}) {
  return { ...running, status, output: [], usage: null, ...more }
}

/** An output of this number of words, of about a token each. */
export function outputOf(words: number) {
  const text = 'word '.repeat(words)
  return [
    { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text }] },
  ]
}

/** Sends events as a stream of them has them, and leaves the stream open. */
export function sendEvents(reply: ServerResponse, events: readonly object[]): void {
  if (!reply.headersSent) reply.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const [index, event] of events.entries()) {
    const { type } = event as { type: string }
    reply.write(`event: ${type}\ndata: ${JSON.stringify({ ...event, sequence_number: index })}\n\n`)
  }
}

/** The events of an output of this number of words. */
export function deltas(words: number): object[] {
  return Array.from({ length: words }, () => ({
    type: 'response.output_text.delta',
    delta: 'word ',
  }))
}

/** An account that queues one response in the background, and answers further requests as a test says. */
export function backgroundAccount(answers: Answers): Promise<FakeAccount> {
  return startFakeAccount((reply, request) => {
    const answer = answers[`${request.method} ${request.url.split('?')[0]!.split('/').at(-1)}`]
    if (answer) return answer(reply, request)
    const isOrder = request.method === 'POST'
    const body = isOrder ? stateOf('queued') : { error: { message: 'unknown', type: 'x' } }
    return void reply
      .writeHead(isOrder ? 200 : 404, { 'content-type': 'application/json' })
      .end(JSON.stringify(body))
  })
}

/** The options of a stage whose only account is this one. A dollar buys a million tokens. */
export function accountOptions({ url }: FakeAccount): Partial<StageOptions> {
  return {
    key: [
      { kind: 'cost', amount: 1, window: 'total' },
      { kind: 'tokens', amount: 1_000_000, window: 'total' },
    ],
    accounts: [
      {
        id: 'one',
        provider: 'openai',
        baseUrl: `${url}/v1`,
        apiKey: 'sk-a',
        models: ['m'],
        prices: { m: { rates: { input: '1', output: '1' } } },
      },
    ],
  }
}

/** Orders a response in the background. */
export async function order({ send }: Pick<LimitStage, 'send'>, more: object = {}): Promise<void> {
  const body = { model: 'm', input: 'Hello there', background: true, ...more }
  const response = await send('/v1/responses', body)
  if (response.status !== 200) throw new Error(await response.text())
  if (!('stream' in more)) await response.text()
}

/** The rows of jobs that are over, once there are some. */
export async function endsIn(store: Store): Promise<readonly LedgerRow[]> {
  let found: LedgerRow[] = []
  await until(async () => {
    found = (await store.ledger().rows({ limit: 100 })).filter(({ isJob }) => isJob)
    return found.length > 0
  })
  return found
}
