import { setTimeout as pause } from 'node:timers/promises'

import { definePlugin } from '../../src/contract/plugin.ts'
import type { LedgerRow } from '../../src/contract/ledger-row.ts'
import { readUsage } from '../../src/history/usage.ts'
import type { Ledger } from '../../src/stores/ledger.ts'
import { openStore } from '../../src/stores/open.ts'
import { type Answer, startFakeAccount } from '../../src/testing/fake-account.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import { reply } from './stage.ts'

/** What became of the calls of a soak. */
export interface Soak {
  readonly rows: readonly LedgerRow[]
  /** The numbers of the calls that were answered, whose prompts have as many tokens. */
  readonly answered: readonly number[]
  readonly aborted: number
  /** What the gateways have seen: a client may leave before its call comes, or before an attempt. */
  readonly seen: Readonly<SeenCalls>
  /** The sums by one way to ask after another. */
  readonly totals: readonly Readonly<Record<string, number | bigint>>[]
  /** What the budgets of each key say was spent. */
  readonly budgets: readonly KeyBudgets[]
}

interface SeenCalls {
  calls: number
  withAttempt: number
  clientGone: number
}

interface KeyBudgets {
  readonly keyId: string
  readonly tokens: number
  readonly costNano: number
}

/** 2 USD a million of the prompt, 8 of the reply, in nano-dollars a token. */
const [inputNano, outputNano] = [2_000, 8_000]

const keyIds = ['one', 'two', 'three']

/** More than all calls use. */
const quotas = [
  { kind: 'cost', amount: 1_000_000, window: 'total' },
  { kind: 'tokens', amount: 1_000_000_000_000, window: 'total' },
] as const

/** The cost of a call by its number. */
export function costOf(call: number): number {
  return call * inputNano + (2 * call + 1) * outputNano
}

/**
 * Sends calls to gateways on one store: the first account fails for some, clients leave others, and the gateways are
 * restarted.
 */
export async function soak(storeUrl: string, calls: number, restarts: number): Promise<Soak> {
  await using stack = new AsyncDisposableStack()
  const answer =
    (mayFail: boolean): Answer =>
    async (response, request) => {
      const { model, messages } = JSON.parse(String(request.body)) as {
        model: string
        messages: { content: string }[]
      }
      const number = Number(messages[0]!.content)
      if (mayFail && number % 5 === 0)
        return void response.writeHead(500, { 'content-type': 'application/json' }).end('{}')
      if (number % 17 === 0) await pause(30)
      const usage = { prompt_tokens: number, completion_tokens: 2 * number + 1 }
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ ...reply, model, usage }))
    }
  const [first, second] = [
    stack.use(await startFakeAccount(answer(true))),
    stack.use(await startFakeAccount(answer(false))),
  ]
  const accountOf = (id: string, url: string, priority: number) => ({
    id,
    provider: 'openai',
    baseUrl: `${url}/v1`,
    apiKey: 'sk-a',
    models: ['gpt-a', 'gpt-b'],
    priority,
  })
  const rates = { input: '2', output: '8' }
  const seen = { calls: 0, withAttempt: 0, clientGone: 0 }
  const watcher = definePlugin({
    name: 'watcher',
    onEnd({ exchange: { operation, progress }, summary: { end } }) {
      if (operation?.capability !== 'generate') return
      seen.calls++
      if (progress.attempt?.startedAt !== undefined) seen.withAttempt++
      if (end === 'client_gone') seen.clientGone++
    },
  })
  const start = () =>
    createTestGateway({
      store: storeUrl,
      keys: keyIds.map((id) => ({ id, secret: `secret-${id}`, quotas: [...quotas] })),
      accounts: [accountOf('a', first.url, 0), accountOf('b', second.url, 1)],
      prices: { 'gpt-a': { rates }, 'gpt-b': { rates } },
      plugins: [watcher],
    })
  const answered: number[] = []
  let aborted = 0
  const perGateway = Math.ceil(calls / (restarts + 1))
  for (let from = 1; from <= calls; from += perGateway) {
    const gateways = [await start(), await start()]
    const end = Math.min(calls + 1, from + perGateway)
    let next = from
    const client = async (index: number) => {
      for (let number = next++; number < end; number = next++) {
        const leaves = number % 34 === 0
        const call = fetch(`${gateways[index % 2]!.url}/v1/chat/completions`, {
          method: 'POST',
          headers: {
            authorization: `Bearer secret-${keyIds[number % 3]}`,
            'content-type': 'application/json',
          },
          body: JSON.stringify({
            model: number % 2 === 0 ? 'gpt-a' : 'gpt-b',
            messages: [{ role: 'user', content: String(number) }],
          }),
          ...(leaves && { signal: AbortSignal.timeout(10) }),
        })
        try {
          const response = await call
          await response.arrayBuffer()
          if (response.status === 200) answered.push(number)
        } catch {
          aborted++
        }
      }
    }
    await Promise.all(Array.from({ length: 16 }, (_, index) => client(index)))
    for (const gateway of gateways) await gateway[Symbol.asyncDispose]()
  }
  const { url } = stack.use(await start())
  const budgets = await Promise.all(keyIds.map((keyId) => budgetsOf(url, keyId)))
  const store = await openStore(storeUrl, { cwd: '/' })
  stack.defer(() => store.close())
  const ledger = store.ledger()
  const totals = await totalsOf(ledger)
  return { rows: await rowsOf(ledger), answered, aborted, seen, totals, budgets }
}

async function budgetsOf(url: string, keyId: string): Promise<KeyBudgets> {
  const headers = { authorization: `Bearer secret-${keyId}` }
  const response = await fetch(`${url}/dragoman/key`, { headers })
  const { limits } = (await response.json()) as { limits: { spent: number | string }[] }
  const [cost, tokens] = limits
  const parts = /^(\d+)(?:\.(\d+))?$/.exec(String(cost?.spent)) ?? []
  const [, whole = '', decimals = ''] = parts
  return {
    keyId,
    costNano: Number(whole + decimals.padEnd(9, '0')),
    tokens: Number(tokens?.spent),
  }
}

async function rowsOf(ledger: Ledger): Promise<LedgerRow[]> {
  const { cursorOf } = await import('../../src/stores/ledger.ts')
  const rows: LedgerRow[] = []
  for (;;) {
    const last = rows.at(-1)
    const page = await ledger.rows({ limit: 1_000, ...(last && { after: cursorOf(last) }) })
    rows.push(...page)
    if (page.length < 1_000) return rows
  }
}

/** The totals by each dimension, and by each size of buckets. */
async function totalsOf(ledger: Ledger) {
  const now = Date.now()
  const day = 24 * 60 * 60_000
  const today = Math.floor(now / day) * day
  const found = []
  for (const by of [[], ['KEY'], ['MODEL', 'ACCOUNT'], ['DAY'], ['HOUR', 'KEY']] as const) {
    for (const range of [
      { from: today - day, to: today + day },
      { from: Math.max(today, now - 2 * 60 * 60_000), to: now + 60_000 },
    ]) {
      const { totals, rows } = await readUsage(ledger, { ...range, by, filter: {}, now })
      const ofRows = rows.reduce((sum, one) => sum + one.costNano, 0n)
      found.push({
        calls: totals.sums.calls ?? 0,
        retries: totals.sums.retries ?? 0,
        inputTokens: totals.sums.inputTokens ?? 0,
        outputTokens: totals.sums.outputTokens ?? 0,
        clientGone: totals.sums.clientGone ?? 0,
        costNano: totals.costNano,
        costOfRows: ofRows,
      })
    }
  }
  return found
}
