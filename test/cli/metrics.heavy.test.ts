import { expect, test, vi } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { until } from '../../src/testing/until.ts'
import { addressesOf, anyPorts, openPlace } from './dragoman.ts'
import { secret, workersOf } from './running-workers.ts'

// It starts five processes, one after another.
vi.setConfig({ testTimeout: 90_000 })

test('one scrape shows all workers, and what they have counted outlives them', async () => {
  await using sandbox = await startSandbox()
  await using place = await openPlace()
  const account = {
    id: 'a',
    provider: 'sandbox',
    baseUrl: sandbox.url,
    apiKey: 'sandbox-key-a',
    models: ['*'],
  }
  const prices = { 'sandbox/words=2': { rates: { input: '0.1', output: '0.2' } } }
  const keys = [{ id: 'team', secret }]
  const config = { keys, accounts: [account], prices, store: 'file:store' }
  await place.write('dragoman.config.json', JSON.stringify(config))
  const server = place.start(`${anyPorts} --workers 2`)
  const { clients, operators } = await addressesOf(server)

  /** In nano-dollars. */
  let spent = 0

  async function ask(): Promise<void> {
    const reply = await fetch(`${clients}/v1/responses`, {
      method: 'POST',
      // Another connection each time, and so another worker.
      headers: { authorization: `Bearer ${secret}`, connection: 'close' },
      body: JSON.stringify({ model: 'sandbox/words=2', input: 'hi' }),
    })
    expect(reply.status).toBe(200)
    const { usage } = (await reply.json()) as { usage: Record<string, number> }
    spent += usage.input_tokens! * 100 + usage.output_tokens! * 200
  }
  /** The value of a sample; 0 if it is not there. */
  async function sample(name: string): Promise<number> {
    const reply = await fetch(`${operators}/metrics`, { headers: { connection: 'close' } })
    expect(reply.status).toBe(200)
    const line = (await reply.text()).split('\n').find((one) => one.startsWith(`${name} `))
    return Number(line?.slice(name.length + 1) ?? 0)
  }
  const attempts = 'dragoman_upstream_attempts_total{account="a",outcome="ok"}'
  const cost = 'dragoman_cost_usd_total{gen_ai_provider_name="sandbox",gen_ai_request_model="*"}'
  const cpu = 'process_cpu_seconds_total'

  await until(async () => (await sample('dragoman_processes')) === 2)
  for (let call = 0; call < 10; call++) await ask()
  await until(async () => (await sample(attempts)) === 10)
  // Whichever worker answers.
  for (let asked = 0; asked < 6; asked++) expect(await sample(attempts)).toBe(10)
  expect(await sample('dragoman_cost_lookups_total{status="priced"}')).toBe(10)
  expect(await sample(cost)).toBe(spent / 1e9)
  const cpuBefore = await sample(cpu)

  const [killed = ''] = await workersOf(server.child.pid)
  process.kill(Number(killed), 'SIGKILL')
  await server.said(/Worker \d ended \(SIGKILL\)/)
  expect(await sample(attempts)).toBe(10)
  expect(await sample(cpu)).toBeGreaterThanOrEqual(cpuBefore)
  await until(async () => (await sample('dragoman_processes')) === 2)
  expect(await sample(attempts)).toBe(10)
  for (let call = 0; call < 4; call++) await ask()
  await until(async () => (await sample(attempts)) === 14)
  expect(await sample(cost)).toBe(spent / 1e9)
  // Two reloads by two workers: each has its own.
  server.child.kill('SIGHUP')
  await until(async () => (await sample('dragoman_config_reloads_total{result="success"}')) === 2)
  await place.write('dragoman.config.json', '{')
  server.child.kill('SIGHUP')
  await until(async () => (await sample('dragoman_config_last_reload_successful')) === 0)
  server.child.kill('SIGTERM')
  expect(await server.ended).toMatchObject({ code: 0 })
})
