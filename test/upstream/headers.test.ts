import { gzipSync } from 'node:zlib'

import { request } from 'node:http'

import { describe, expect, test } from 'vitest'

import type { TestGateway } from '../../src/testing/gateway.ts'
import { ask } from '../walks/streams/asking.ts'
import { type Form, form, forms, wholeStream } from '../walks/streams/forms.ts'
import { serving } from '../walks/failover/pool.ts'
import { openStream, stage } from '../walks/streams/scripted.ts'

/** Sends headers that `fetch` would not let through. Resolves when the answer has been read. */
function askRaw(
  { url, key }: TestGateway,
  form: Form,
  headers: Record<string, string>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url + form.path('m', true), {
      method: 'POST',
      agent: false,
      headers: { authorization: `Bearer ${key}`, ...form.headers, ...headers },
    })
    sent.once('error', reject)
    sent.once('response', (response) => response.resume().once('end', resolve))
    sent.end(JSON.stringify(form.body('m', true)))
  })
}

describe.each(forms)('an account of a $name client', (form) => {
  test('is sent nothing of the connection between client and gateway', async () => {
    await using scene = await stage(form, serving(form))

    await askRaw(scene.gateway, form, {
      'content-type': 'application/json; charset=utf-8',
      connection: 'close, x-named, X-Also-Named',
      'keep-alive': 'timeout=5',
      'proxy-connection': 'keep-alive',
      'proxy-authorization': 'Basic c2VjcmV0',
      te: 'trailers',
      trailer: 'x-sum',
      'transfer-encoding': 'chunked',
      expect: '100-continue',
      'x-named': 'only for the next hop',
      'x-also-named': 'only for the next hop',
      'x-session-id': 'for every hop',
    })

    const { headers, body } = scene.account.requests[0]!
    const hopByHop = ['keep-alive', 'proxy-connection', 'proxy-authorization', 'te', 'trailer']
    for (const name of [...hopByHop, 'transfer-encoding', 'expect', 'x-named', 'x-also-named']) {
      expect(headers).not.toHaveProperty(name)
    }
    expect(headers['x-session-id']).toBe('for every hop')
    expect(headers.connection).toBe('keep-alive')
    expect(headers.host).toBe(new URL(scene.account.url).host)
    expect(headers['content-type']).toBe('application/json')
    expect(headers['content-length']).toBe(String(body.length))
  })

  test('is asked for a plain encoding, whatever the client takes', async () => {
    await using scene = await stage(form, serving(form))

    await askRaw(scene.gateway, form, { 'accept-encoding': 'gzip, br, zstd', accept: '*/*' })
    await ask(scene.gateway, form, { stream: false })

    const [streamed, json] = scene.account.requests
    expect(streamed!.headers).toMatchObject({
      'accept-encoding': 'identity',
      accept: 'text/event-stream',
    })
    expect(json!.headers).toMatchObject({
      'accept-encoding': 'identity',
      accept: 'application/json',
    })
  })

  test('has only those of its headers handed on that clients have a use for', async () => {
    await using scene = await stage(form, (response) => {
      response.setHeader('x-ratelimit-remaining-requests', '9')
      response.setHeader('anthropic-ratelimit-tokens-remaining', '8')
      response.setHeader('openai-processing-ms', '9')
      response.setHeader('set-cookie', 'session=1')
      response.setHeader('server', 'nginx/1.2')
      response.setHeader('via', '1.1 inner-proxy')
      response.setHeader('openai-organization', 'acme')
      response.setHeader('x-request-id', 'theirs')
      response.setHeader('x-named', 'only for the next hop')
      response.setHeader('keep-alive', 'timeout=1')
      response.setHeader('proxy-authenticate', 'Basic')
      response.setHeader('trailer', 'x-sum')
      openStream(response)
      response.end(wholeStream(form).join(''))
    })

    const { headers } = await ask(scene.gateway, form)

    expect(headers.get('openai-processing-ms')).toBe('9')
    expect(headers.get('x-request-id')).toMatch(/^req_/)
    expect(headers.get('keep-alive')).not.toBe('timeout=1')
    const dropped = ['set-cookie', 'server', 'via', 'openai-organization', 'x-named', 'trailer']
    // They say how busy the account is, which others share.
    const ofLimits = ['x-ratelimit-remaining-requests', 'anthropic-ratelimit-tokens-remaining']
    for (const name of [...dropped, ...ofLimits, 'proxy-authenticate'])
      expect(headers.has(name)).toBe(false)
  })
})

test('a stream is marked so that nobody on its way buffers or changes it', async () => {
  await using scene = await stage(form.chat, serving(form.chat))

  const { headers } = await ask(scene.gateway, form.chat)

  expect(headers.get('cache-control')).toBe('no-cache, no-transform')
  expect(headers.get('x-accel-buffering')).toBe('no')
  expect(headers.get('content-type')).toMatch(/^text\/event-stream/)
})

test('an account that compresses all the same is read, and its client is told of no encoding', async () => {
  const reply = { choices: [{ index: 0, finish_reason: 'stop', message: { content: 'hi' } }] }
  await using scene = await stage(form.chat, (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
    response.end(gzipSync(JSON.stringify(reply)))
  })

  const response = await ask(scene.gateway, form.chat, { stream: false })

  expect(await response.json()).toEqual(reply)
  expect(response.headers.has('content-encoding')).toBe(false)
})
