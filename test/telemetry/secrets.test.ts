import { expect, test } from 'vitest'

import { type FakeAccount, answerJson, startFakeAccount } from '../../src/testing/fake-account.ts'
import { until } from '../../src/testing/until.ts'
import { addressesOf, anyPorts, openPlace } from '../cli/dragoman.ts'

const secrets = {
  caller: 'caller-canary-7d31',
  account: 'account-canary-2b90',
  header: 'header-canary-c4aa',
  query: 'query-canary-91fe',
  text: 'text-canary-5508',
  collector: 'collector-canary-66d2',
}

/** Starts an account that repeats its credentials in a refusal. */
function startTelling(): Promise<FakeAccount> {
  return startFakeAccount((response, request) => {
    const { authorization, 'x-tenant-token': token } = request.headers
    const error = { message: `no ${String(authorization)} ${String(token)}`, type: 'server_error' }
    return answerJson({ error }, { status: 500 })(response, request)
  })
}

/** Percent-encodes a text, and once more. */
function twiceEncoded(text: string): string {
  return text.replaceAll(/./g, (char) => `%25${char.charCodeAt(0).toString(16)}`)
}

test('no signal to a collector has a secret or a text, whatever becomes of a call', async () => {
  await using account = await startTelling()
  await using collector = await startFakeAccount(answerJson({}))
  await using place = await openPlace()
  await place.write(
    'dragoman.config.json',
    JSON.stringify({
      store: 'memory:',
      keys: [{ id: 'team', secret: secrets.caller }],
      accounts: [
        {
          id: 'a',
          provider: 'openai-compatible',
          baseUrl: `${account.url}/v1`,
          apiKey: secrets.account,
          headers: { 'x-tenant-token': secrets.header },
          models: ['m'],
        },
      ],
      log: { level: 'debug' },
      telemetry: {
        traces: true,
        metrics: { otlp: true },
        logs: { otlp: true, access: true },
      },
    }),
  )
  const server = place.start(anyPorts, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_HEADERS: `x-collector=${secrets.collector}`,
  })
  const { clients, operators } = await addressesOf(server)
  const ask = (key: string, body: string) =>
    fetch(`${clients}/v1/chat/completions?key=${secrets.query}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        cookie: `session=${secrets.query}`,
        'content-type': 'application/json',
      },
      body,
    })
  const chat = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: secrets.text }] })
  const statuses: number[] = []
  for (const [key, body] of [
    [secrets.caller, chat],
    [secrets.caller, `{"model": "${secrets.text}`],
    [`${secrets.caller}-wrong`, chat],
  ] as const) {
    const reply = await ask(key, body)
    statuses.push(reply.status)
    await reply.text()
  }
  expect(statuses).toEqual([500, 400, 401])
  // Paths of no dialect, where no caller is known.
  for (const path of [`/nowhere/${secrets.caller}`, `/livez/${twiceEncoded(secrets.caller)}`]) {
    const headers = { 'api-key': secrets.caller, 'user-agent': `agent ${secrets.caller}` }
    const reply = await fetch(clients + path, { method: 'OPTIONS', headers })
    await reply.text()
    expect(reply.status).toBe(404)
  }
  const scraped = await (await fetch(`${operators}/metrics`)).text()
  server.child.kill('SIGTERM')
  const { stdout, stderr } = await server.ended

  const signals = ['/v1/logs', '/v1/metrics', '/v1/traces']
  await until(() => signals.every((path) => collector.requests.some(({ url }) => url === path)))
  const sent = collector.requests.map(({ body }) => body.toString()).join('\n')
  expect(sent).toContain('/livez/[secret]')
  // What it should have is there: an attempt that failed, by its account.
  for (const text of [sent, stdout + stderr]) expect(text).toContain('team')
  expect(scraped).toContain('dragoman_upstream_attempts_total{account="a"')
  for (const all of [sent, stdout + stderr]) expect(all).not.toContain(twiceEncoded('canary'))
  for (const [name, secret] of Object.entries(secrets)) {
    expect([name, sent.includes(secret), scraped.includes(secret)]).toEqual([name, false, false])
    expect([name, (stdout + stderr).includes(secret)]).toEqual([name, false])
  }
})
