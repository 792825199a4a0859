import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { Pool } from 'undici'

import { createTestGateway } from '../../src/testing/gateway.ts'
import { answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'

// `node test/bench/traces.ts [seconds]`: the CPU of a call with traces over one without. Gateways that differ in
// nothing else stand in one process, and clients change from one to the next every 100 ms.

const windowMs = 100
const concurrency = 16

const roles: Readonly<Record<string, () => Promise<void>>> = { client, account, collector }
const role = roles[process.env['BENCH_ROLE'] ?? '']
await (role ? role() : measure(Number(process.argv[2] ?? 30)))

async function measure(seconds: number): Promise<void> {
  const [accounts, receiver, clients] = await Promise.all(
    ['account', 'collector', 'client'].map(start),
  )
  if (!accounts || !receiver || !clients) throw new Error('A process did not start.')
  const endpoint = receiver.url
  const variants = {
    off: false,
    'off again': false,
    'sampled at 10 %': { endpoint, sample: 0.1 },
    'sampled at 100 %': { endpoint, sample: 1 },
  } as const
  const gateways = await Promise.all(
    Object.entries(variants).map(async ([name, traces]) => {
      const gateway = await createTestGateway({
        accounts: [
          {
            id: 'a',
            provider: 'openai',
            baseUrl: `${accounts.url}/v1`,
            apiKey: 'k',
            models: ['*'],
          },
        ],
        telemetry: { traces, metrics: false },
      })
      return { name, gateway, calls: 0, cpu: 0, time: 0 }
    }),
  )
  const end = performance.now() + seconds * 1_000
  for (let turn = 0; performance.now() < end; turn++) {
    const one = gateways[turn % gateways.length]!
    clients.process.send({ url: one.gateway.url, key: one.gateway.key })
    await pause(10)
    const before = {
      cpu: process.cpuUsage(),
      calls: one.gateway.accessLog.length,
      at: performance.now(),
    }
    await pause(windowMs)
    const { user, system } = process.cpuUsage(before.cpu)
    // The first rounds compile the code.
    if (turn > 10 * gateways.length) {
      one.calls += one.gateway.accessLog.length - before.calls
      one.cpu += user + system
      one.time += performance.now() - before.at
    }
  }
  const [base] = gateways
  for (const { name, calls, cpu, time } of gateways) {
    const perCall = cpu / calls
    const ratio = perCall / (base!.cpu / base!.calls)
    const rate = ((1_000 * calls) / time).toFixed(0)
    console.log(
      `${name}: ${perCall.toFixed(1)} us of CPU a call (${(100 * (ratio - 1)).toFixed(1)} %), ${rate} calls/s`,
    )
  }
  for (const { process: child } of [accounts, receiver, clients]) child.kill()
  process.exit()
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

async function start(name: string): Promise<{ process: ChildProcess; url: string }> {
  const child = fork(import.meta.filename, { env: { ...process.env, BENCH_ROLE: name } })
  const [url] = (await once(child, 'message')) as [string]
  return { process: child, url }
}

/** Calls the gateway that the last message names, as often as it answers. */
async function client(): Promise<void> {
  const pools = new Map<string, Pool>()
  let target: { url: string; key: string } | undefined
  process.on('message', (message: typeof target) => {
    const isFirst = target === undefined
    target = message
    if (isFirst) for (let index = 0; index < concurrency; index++) void call()
  })
  process.send?.('ready')

  async function call(): Promise<never> {
    for (;;) {
      const { url, key } = target!
      const pool = pools.get(url) ?? new Pool(url, { connections: concurrency })
      pools.set(url, pool)
      const { body } = await pool.request({
        method: 'POST',
        path: '/v1/chat/completions',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hello' }] }),
      })
      await body.dump()
    }
  }
}

async function account(): Promise<void> {
  const message = { role: 'assistant', content: 'hello there' }
  const { url } = await startFakeAccount(
    answerJson({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
    }),
  )
  process.send?.(url)
}

async function collector(): Promise<void> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}
