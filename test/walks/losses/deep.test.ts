import { expect, test } from 'vitest'

import { nestedText } from '../../translate/deep.ts'
import { form } from '../streams/forms.ts'
import { startMixed } from './mixed.ts'

const deep = nestedText(20_000)

/** A chat client whose tool takes something that is nested very deeply. */
function send({ url, key }: { readonly url: string; readonly key: string }): Promise<Response> {
  const tool = `{"type":"function","function":{"name":"f","parameters":${deep}}}`
  return fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: `{"model":"m","messages":[{"role":"user","content":"hi"}],"tools":[${tool}]}`,
  })
}

test.each([form.messages, form.chat])(
  'a schema that is nested too deeply reaches no account, of whichever dialect',
  async (account) => {
    await using mixed = await startMixed({ only: { form: account } })

    const response = await send(mixed.gateway)

    expect(response.status).toBe(400)
    const message = 'The request body is nested more than 200 levels deep.'
    expect(await response.json()).toMatchObject({ error: { code: 400, message } })
    expect(mixed.accounts.only.requests).toHaveLength(0)
  },
)

test('an account whose call is nested too deeply gave a reply that cannot be read', async () => {
  const call = `{"type":"tool_use","id":"c","name":"f","input":${deep}}`
  await using mixed = await startMixed({
    foreign: {
      form: form.messages,
      script(response) {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(`{"type":"message","content":[${call}],"stop_reason":"tool_use"}`)
      },
    },
  })

  const { url, key } = mixed.gateway
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] }),
  })

  expect(response.status).toBe(502)
  expect(await response.json()).toMatchObject({
    error: { code: 502, message: expect.stringContaining('nested too deeply') as unknown },
  })
})
