import { describe, expect, test } from 'vitest'

import type { AccountRequest, Answer } from '../../src/testing/fake-account.ts'
import { dialectNames } from '../requests/dialects.ts'
import { accountsAt, type Service, startService, upstreamSecret } from '../requests/service.ts'

/** An upstream that tells everything it knows in its error. */
function blurt(encode: (text: string) => string, status = 400): Answer {
  return (response, { headers, url }: AccountRequest) => {
    const known = `${headers.host} ${JSON.stringify(headers)} http://${headers.host}${url}`
    const error = { message: known, code: known, param: known, details: { known }, status: known }
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(encode(JSON.stringify({ error })))
  }
}

const escapeAll = (text: string) =>
  text.replaceAll(
    /[a-z0-9:./-]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )

/** Escapes every character inside JSON's strings but those of the keys. */
function escapedValues(text: string): string {
  return text.replaceAll(/:"((?:[^"\\]|\\.)*)"/g, (_, value: string) => {
    const decoded = JSON.parse(`"${value}"`) as string
    return `:"${escapeAll(decoded.replaceAll('"', "'"))}"`
  })
}

const spellings = {
  plain: (text: string) => text,
  'with escaped slashes': (text: string) => text.replaceAll('/', '\\/'),
  'in escapes only': escapedValues,
}

async function expectSilence(service: Service, response: Response): Promise<void> {
  const { host, hostname, port } = new URL(service.upstream.url)
  const text = JSON.stringify([...response.headers]) + (await response.text())
  const decoded = text.replaceAll(/\\u00([0-9a-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  expect(response.ok).toBe(false)
  expect(decoded).not.toContain(upstreamSecret)
  expect(decoded).not.toContain(host)
  expect(decoded).not.toContain(`${hostname}:`)
  expect(decoded).not.toContain(port)
}

describe.each(dialectNames)('%s', (dialect) => {
  test.each(Object.entries(spellings))('an upstream that echoes %s', async (_, spelling) => {
    for (const errors of ['spec', 'upstream', 'native'] as const) {
      await using service = await startService({ errors }, blurt(spelling))
      await expectSilence(service, await service.ask(dialect))
    }
  })

  test('an upstream whose last word is a server error', async () => {
    await using service = await startService({}, blurt(spellings.plain, 500))
    await expectSilence(service, await service.ask(dialect))
  })

  test('a stream that tells of an error', async () => {
    await using service = await startService({}, (response, { headers }) => {
      const message = `${upstreamSecret} ${headers.host} http://${headers.host}/x`
      const error = { type: 'server_error', code: 500, message }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(`event: error\ndata: ${JSON.stringify({ type: 'error', error })}\n\n`)
    })
    const path = { path: '/v1beta/models/m:streamGenerateContent?alt=sse' }
    const options = dialect === 'generate' ? path : {}
    await expectSilence(service, await service.ask(dialect, { stream: true }, options))
  })
})

test('an upstream that names its host without the port', async () => {
  await using service = await startService({}, (response) => {
    response.writeHead(400, { 'content-type': 'application/json' })
    response.end('{"error":{"message":"no model on localhost","detail":"ask LOCALHOST"}}')
  })
  const url = service.upstream.url.replace('127.0.0.1', 'localhost')
  service.gateway.reload({ accounts: accountsAt(url) })
  const text = await (await service.ask('chat')).text()
  expect(text).toContain('no model on')
  expect(text.toLowerCase()).not.toContain('localhost')
})
