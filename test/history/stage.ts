import type { ServerResponse } from 'node:http'

import type { LedgerRow } from '../../src/contract/ledger-row.ts'
import { openStore } from '../../src/stores/open.ts'
import type { Store } from '../../src/stores/store.ts'
import { type Answer, answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import {
  type TestGateway,
  type TestGatewayOptions,
  createTestGateway,
} from '../../src/testing/gateway.ts'
import { until } from '../../src/testing/until.ts'

/** A reply of Chat Completions with a usage. */
export const reply = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-a',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
}

/** 100 tokens at 2 USD and 10 at 8 USD a million, in nano-dollars. */
export const costOfReply = 280_000

/** A gateway with accounts, and its ledger. */
export interface HistoryStage extends AsyncDisposable {
  readonly gateway: TestGateway
  readonly store: Store
  /** Sends a call, and reads its answer. */
  call(model?: string, init?: RequestInit): Promise<number>
  /** The rows of the ledger, once there are so many. */
  rows(count: number): Promise<LedgerRow[]>
}

/** Starts a gateway whose accounts a, b, ... give these answers, the first one first. */
export async function historyStage(
  answers: readonly Answer[],
  options: TestGatewayOptions = {},
): Promise<HistoryStage> {
  await using stack = new AsyncDisposableStack()
  const accounts = []
  for (const [index, answer] of answers.entries()) {
    const account = stack.use(await startFakeAccount(answer))
    accounts.push({
      id: String.fromCodePoint(97 + index),
      provider: 'openai',
      baseUrl: `${account.url}/v1`,
      apiKey: `sk-${index}-canary`,
      models: ['gpt-a', 'gpt-4.*', 'odd-*'],
      priority: index,
    })
  }
  const given = options.store
  const store =
    typeof given === 'object' ? given : await openStore(given ?? 'memory:', { cwd: '/' })
  if (typeof given !== 'object') stack.defer(() => store.close())
  const gateway = stack.use(
    await createTestGateway({
      accounts,
      prices: { 'gpt-a': { rates: { input: '2', output: '8' } } },
      ...options,
      store,
    }),
  )
  const opened = stack.move()
  return {
    gateway,
    store,
    async call(model = 'gpt-a', init = {}) {
      const response = await fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }),
        ...init,
      })
      await response.arrayBuffer()
      return response.status
    },
    async rows(count) {
      let found: LedgerRow[] = []
      await until(async () => {
        found = await store
          .ledger()
          .rows({ limit: 1_000 })
          .catch(() => [])
        return found.length >= count
      })
      return found
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** An account that answers with the reply above. */
export const answers: Answer = answerJson(reply)

/** An account that fails. */
export const fails: Answer = answerJson({ error: { message: 'down' } }, { status: 500 })

/** An account that begins a stream and cuts it. */
export function cuts(response: ServerResponse): void {
  const chunk = { ...reply, object: 'chat.completion.chunk', usage: undefined }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(
    `data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, delta: { content: 'hi' } }] })}\n\n`,
  )
  setTimeout(() => response.destroy(), 20)
}
