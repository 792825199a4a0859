import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { chatCodec } from '../../../plugins/dialects/chat/codec/index.ts'
import type { GenerateRequest } from '../../../src/generate/request.ts'
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.ts'
import { neutral } from './asking.ts'
import { anyRequest } from './any-request.ts'

describe('a strict account', () => {
  test('takes whatever any client may ask for', async () => {
    await using sandbox = await startSandbox()
    const property = fc.asyncProperty(anyRequest, async (request) => {
      expect(await answerTo(sandbox, request)).toEqual({ status: 200 })
    })

    await fc.assert(property, { numRuns: 300 })
  })

  test('refuses what is wrong, so that the test above can fail', async () => {
    await using sandbox = await startSandbox()
    const { path, body } = chatCodec.encodeRequest(neutral(), 'm', () => {})

    expect(await send(sandbox, path, { ...body, top_k: 1 })).toMatchObject({ status: 400 })
  })
})

async function answerTo(sandbox: Sandbox, request: GenerateRequest) {
  const { path, body } = chatCodec.encodeRequest(request, 'm', () => {})
  return send(sandbox, path, body)
}

/** What a refusal says stands in the report of a failing test. */
async function send({ url }: Sandbox, path: string, body: object) {
  const { status, ...response } = await post(url + path, JSON.stringify(body))
  return status === 200 ? { status } : { status, ...response, body }
}

async function post(url: string, body: string) {
  const headers = { authorization: 'Bearer sandbox-key-a', 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body })
  return { status: response.status, text: await response.text() }
}
