import { expect, test } from 'vitest'

import { addressesOf, anyPorts, statusWithKey, withoutAdmin } from './dragoman.ts'
import { secret, placeWith } from './restless-plugins.ts'

test.concurrent('a hook whose error is lost in a timer holds its own call, and no other one and no shutdown', async () => {
  await using place = await placeWith(
    `{
    name: 'careless',
    onCall: ({ exchange, next }) => exchange.call.model === 'm'
      ? new Promise((resolve) => setTimeout(() => resolve(undefinedName()), 10))
      : next(),
  }`,
    'timeouts: { drainMs: 500 },',
  )
  const server = place.start(withoutAdmin)
  const { clients } = await addressesOf(server)
  const leaving = new AbortController()
  const call = fetch(`${clients}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', input: 'Hello' }),
    signal: leaving.signal,
  })
  await server.said(/undefinedName is not defined/)
  expect(await statusWithKey(clients, secret)).toBe(200)
  leaving.abort()
  await expect(call).rejects.toThrow()
  server.child.kill('SIGTERM')
  expect((await server.ended).code).toBe(0)
}, 60_000)

test.concurrent('a start that never ends is reported and left, and operators see it', async () => {
  await using place = await placeWith(`
    { name: 'endless', onStart: () => new Promise(() => {}) },
    { name: 'probed', probes: {
      fine: () => ({ ok: true, message: 'all well' }),
      bad: async () => ({ ok: false }),
      throwing: () => { throw new Error('probe-canary') },
      hanging: () => new Promise(() => {}),
      senseless: () => 'yes',
    } },`)
  const server = place.start(anyPorts)
  const { clients, operators } = await addressesOf(server)
  expect(server.output.stderr).toMatch(/endless: onStart failed.*did not finish within 5000 ms/)
  const ready = await fetch(`${operators}/readyz?verbose`)
  // They inform; the gateway is ready all the same.
  expect(ready.status).toBe(200)
  const failed = { ok: false, message: 'the probe failed' }
  expect(await ready.json()).toMatchObject({
    plugins: {
      endless: { onStart: { ok: false, message: 'has not finished' } },
      probed: {
        fine: { ok: true, message: 'all well' },
        bad: { ok: false },
        throwing: failed,
        hanging: failed,
        senseless: failed,
      },
    },
  })
  expect(await (await fetch(`${clients}/readyz?verbose`)).json()).not.toHaveProperty('plugins')
  expect(await statusWithKey(clients, secret)).toBe(200)
}, 60_000)
