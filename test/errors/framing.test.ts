import { describe, expect, test } from 'vitest'

import { dailyRows } from '../daily-rows.ts'
import { definePlugin } from '../../src/contract/plugin.ts'
import { until } from '../../src/testing/until.ts'
import { type Service, startService } from '../requests/service.ts'
import { conversation } from '../connections/conversation.ts'

const get = 'GET /livez HTTP/1.1'
const post = 'POST /v1/chat/completions HTTP/1.1'
const chunks = '0\r\n\r\n'

/** Requests whose end, host or meaning another server on the way may read differently. */
const ambiguous: Record<string, [lines: string[], body: string, status: number]> = {
  'two hosts': [[get, 'host: a', 'host: b'], '', 400],
  'the same host twice': [[get, 'host: a', 'Host: a'], '', 400],
  'no host': [[get], '', 400],
  'a host with a blank': [[get, 'host: a b'], '', 400],
  'a host with a path': [[get, 'host: a/b'], '', 400],
  'a host with credentials': [[get, 'host: me@a'], '', 400],
  'a host that is a URL': [[get, 'host: http://a/'], '', 400],
  'a host with an unfinished address': [[get, 'host: [::1'], '', 400],
  'a host with a huge port': [[get, 'host: a:99999999'], '', 400],
  'a host with a broken escape': [[get, 'host: %%%'], '', 400],
  'two hosts in one': [[get, 'host: a, b c'], '', 400],
  // Node takes what follows on the connection for the rest of it.
  'a version before headers': [['GET /livez HTTP/0.9', 'host: a'], '', 400],
  'a version of another framing': [['GET /livez HTTP/2.0', 'host: a'], '', 400],
  'a version that there is not': [['GET /livez HTTP/1.7', 'host: a'], '', 400],
  'another coding before chunked': [
    [post, 'host: a', 'transfer-encoding: gzip, chunked'],
    chunks,
    501,
  ],
  'an HTTP/1.0 with a coding': [
    ['POST /v1/chat/completions HTTP/1.0', 'connection: keep-alive', 'transfer-encoding: chunked'],
    chunks,
    400,
  ],
  'another coding after chunked': [
    [post, 'host: a', 'transfer-encoding: chunked, gzip'],
    chunks,
    400,
  ],
  'chunked twice': [
    [post, 'host: a', 'transfer-encoding: chunked', 'transfer-encoding: chunked'],
    chunks,
    400,
  ],
  'the coding identity': [
    [post, 'host: a', 'transfer-encoding: identity', 'content-length: 0'],
    '',
    400,
  ],
  'a coding that only looks like chunked': [
    [post, 'host: a', 'transfer-encoding: xchunked'],
    chunks,
    400,
  ],
  'a coding in quotes': [[post, 'host: a', 'transfer-encoding: "chunked"'], chunks, 400],
  'a blank before a colon': [[post, 'host: a', 'transfer-encoding : chunked'], chunks, 400],
  'a folded coding': [[post, 'host: a', 'transfer-encoding:\r\n chunked'], chunks, 400],
  'a length and a coding': [
    [post, 'host: a', 'content-length: 5', 'transfer-encoding: chunked'],
    chunks,
    400,
  ],
  'a coding and a length': [
    [post, 'host: a', 'transfer-encoding: chunked', 'content-length: 5'],
    chunks,
    400,
  ],
  'two lengths': [[post, 'host: a', 'content-length: 2', 'content-length: 3'], '{} ', 400],
  'the same length twice': [[post, 'host: a', 'content-length: 2', 'content-length: 2'], '{}', 400],
  'a list of lengths': [[post, 'host: a', 'content-length: 2, 2'], '{}', 400],
  'a length with a sign': [[post, 'host: a', 'content-length: +2'], '{}', 400],
  'a negative length': [[post, 'host: a', 'content-length: -2'], '{}', 400],
  'a hexadecimal length': [[post, 'host: a', 'content-length: 0x2'], '{}', 400],
  'an empty length': [[post, 'host: a', 'content-length:'], '{}', 400],
  'a length beyond all numbers': [
    [post, 'host: a', 'content-length: 99999999999999999999'],
    '{}',
    400,
  ],
  'a folded header': [[get, 'host: a', 'x: y\r\n z'], '', 400],
  'a header that begins with a blank': [[get, ' host: a'], '', 400],
  'a NUL in a header': [[get, 'host: a', 'x: a\0b'], '', 400],
  'a lone carriage return': [[get, 'host: a\rx: y'], '', 400],
  'a URL without a host': [['GET http:///livez HTTP/1.1', 'host: a'], '', 400],
  'a URL of another scheme': [['GET ftp://a/livez HTTP/1.1', 'host: a'], '', 400],
  'HTTP/0.9': [['GET /livez'], '', 400],
  'an unknown version': [['GET /livez HTTP/1.2', 'host: a'], '', 400],
  'a tunnel': [['CONNECT evil.example:80 HTTP/1.1', 'host: evil.example:80'], '', 405],
}

const chunked = `${post}\r\nhost: a\r\nauthorization: Bearer KEY\r\ntransfer-encoding: chunked\r\n\r\n`

const brokenChunks: Record<string, string> = {
  'a size that is no number': 'zz\r\n',
  'a negative size': '-1\r\na\r\n',
  'a size with a prefix': '0x1\r\na\r\n',
  'a size beyond all numbers': 'fffffffffffffffff\r\na\r\n',
  'a size with a blank': '1 \r\na\r\n',
  'lines without carriage return': '1\na\n',
  'a chunk longer than its size': '1\r\nab\r\n',
  'an extension with a line feed': '1;\nx\r\na\r\n',
}

/** With an edge plugin, requests take another way into the gateway. */
const ways: Record<string, () => Promise<Service>> = {
  directly: () => startService(),
  'through edge plugins': () => {
    const plugin = definePlugin({ name: 'edge', http: { onRequest() {}, onResponse() {} } })
    return startService({ plugins: [plugin] })
  },
}

/** What an attacker hides behind a request: it must never be read as one. */
function hiddenFor({ gateway }: Service): string {
  const body = '{"model":"m","messages":[{"role":"user","content":"hi"}]}'
  const head = `host: a\r\nauthorization: Bearer ${gateway.key}\r\ncontent-length: ${body.length}`
  return `${post}\r\n${head}\r\n\r\n${body}`
}

/** Asks a question, and returns the statuses of all exchanges: a hidden request would be one of them. */
async function exchangesOf(service: Service): Promise<unknown[]> {
  expect((await service.ask('chat')).status).toBe(200)
  expect(service.upstream.requests).toHaveLength(1)
  await until(() => service.gateway.gateway.inflight() === 0)
  return (await service.gateway.logged(1)).map(({ status }) => status)
}

const starts = Object.entries(ways)

describe.each(starts)('%s', (way, start) => {
  const nth = starts.findIndex(([name]) => name === way)

  test.each(dailyRows(Object.entries(ambiguous), nth))(
    '%s is refused, and what follows on the connection is not read as a request',
    async (_name, [lines, body, status]) => {
      await using service = await start()
      const said = await conversation(
        service.gateway.url,
        `${lines.join('\r\n')}\r\n\r\n${body}${hiddenFor(service)}`,
      )
      expect(said.statuses).toEqual([status])
      expect(said.text).toContain(`"code":${status}`)
      expect(said.text).toMatch(/x-request-id: req_/i)
      const exchanges = await exchangesOf(service)
      expect(exchanges.filter((one) => ![400, 501, 505].includes(one as number))).toEqual([200])
    },
  )

  test.each(['0.9', '2.0'])('HTTP/%s is refused: it has no such requests', async (version) => {
    await using service = await start()
    const lines = [`GET /livez HTTP/${version}`, 'host: a', 'connection: keep-alive', '', '']
    const said = await conversation(service.gateway.url, lines.join('\r\n'))
    expect(said.statuses).toEqual([505])
    expect(said.text).toContain(`"code":505`)
    expect(said.text).toContain('HTTP/1.1 or HTTP/1.0')
  })

  test.each(dailyRows(Object.entries(brokenChunks), nth))(
    'a chunked body with %s reaches no account',
    async (_name, bytes) => {
      await using service = await start()
      const head = chunked.replace('KEY', service.gateway.key)
      const said = await conversation(
        service.gateway.url,
        `${head}${bytes}${chunks}${hiddenFor(service)}`,
      )
      expect(said.statuses).toEqual([400])
      expect(await exchangesOf(service)).toHaveLength(2)
    },
  )
})
