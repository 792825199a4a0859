import { expect, test } from 'vitest'

import { serving } from '../walks/failover/pool.ts'
import { ask, receive } from '../walks/streams/asking.ts'
import { form } from '../walks/streams/forms.ts'
import { stage } from '../walks/streams/scripted.ts'

const { chat } = form

test('five failures of one model leave the others of its account to the same key, and say why', async () => {
  await using scene = await stage(chat, (response, request) => {
    if (!request.body.includes('"model":"a"')) return serving(chat)(response, request)
    response.writeHead(500, { 'content-type': 'application/json' })
    response.end('{"error":{"message":"image input is not supported","type":"server_error"}}')
  })
  const call = async (model: string) => {
    const headers = { 'x-dragoman-explain': '1' }
    const response = await ask(scene.gateway, chat, { model, stream: false, headers })
    const { text } = await receive(response)
    return { status: response.status, text }
  }
  for (let time = 0; time < 5; time++) expect((await call('a')).status).toBe(500)

  const held = await call('a')
  expect(held.status).toBe(503)
  expect(held.text).toContain('circuit open: 5 of 5 calls got 500')
  expect(scene.account.requests).toHaveLength(5)
  expect((await call('b')).status).toBe(200)
})
