import { once } from 'node:events'
import { request } from 'node:http'

import { expect, test } from 'vitest'

import { until } from '../../src/testing/until.ts'
import { startAdminGateway } from './admin-gateway.ts'

/** Characters that steer a terminal or turn the direction of a text. */
const hostile = 'a\u009b31m\u0007\u007f\u0085\u202e\u2028\u{e0001}z'
/** Those of them that a header may have. */
const hostileHeader = 'a\u009b31m\u0085z'
const steering = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

async function post(
  url: string,
  { authorization = 'Bearer wrong', model = 'm', agent = hostileHeader } = {},
): Promise<void> {
  const { hostname, port, pathname: path } = new URL(url)
  const headers = { 'user-agent': agent, authorization, 'content-type': 'application/json' }
  const sent = request({ hostname, port, path, method: 'POST', headers })
  const messages = [{ role: 'user', content: 'hi' }]
  sent.end(Buffer.from(JSON.stringify({ model, messages })))
  const [response] = (await once(sent, 'response')) as [NodeJS.ReadableStream]
  response.resume()
  await once(response, 'end')
}

test('no line of a log steers the terminal that shows it, and each means the same', async () => {
  await using gateway = await startAdminGateway()
  await post(`${gateway.url}/v1/chat/completions`, {
    authorization: `Bearer ${gateway.key}`,
    model: hostile,
  })
  // Its audit record is a line of the server's log.
  await post(`${gateway.adminUrl}/graphql`)
  await until(() => gateway.accessLog.length > 0 && gateway.log.length > 0)
  expect(gateway.accessLog[0]).toMatchObject({
    model_requested: hostile,
    user_agent: hostileHeader,
  })
  expect(gateway.log.at(-1)).toMatchObject({ msg: 'audit', audit: { agent: hostileHeader } })
  expect(gateway.written()).not.toMatch(steering)
  expect(gateway.written()).toContain(String.raw`a\u009b31m`)
})

test('the agent of a client makes no line of the access log long', async () => {
  await using gateway = await startAdminGateway()
  await post(`${gateway.url}/v1/chat/completions`, { agent: '\u009b'.repeat(10_000) })
  await until(() => gateway.accessLog.length > 0)
  expect(gateway.accessLog[0]).toMatchObject({ user_agent: `${'\u009b'.repeat(512)}...` })
  expect(gateway.written().length).toBeLessThan(5_000)
})
