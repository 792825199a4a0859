import { expect, test } from 'vitest'

import { form } from '../streams/forms.ts'
import { startMixed } from './mixed.ts'

const logprobs = ['One', ' two', ' ST', 'OP', ' three'].map((token) => ({
  token,
  logprob: -0.25,
  bytes: [],
  top_logprobs: [],
}))

const text = logprobs.map(({ token }) => token).join('')

/** A completion with a stop sequence from an account of Responses, which has none. */
async function completionWith(stop: string) {
  const part = { type: 'output_text', text, annotations: [], logprobs }
  const item = { type: 'message', id: 'msg_1', role: 'assistant', content: [part] }
  await using mixed = await startMixed({
    foreign: {
      form: form.responses,
      script(response) {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ id: 'resp_1', status: 'completed', output: [item] }))
      },
    },
  })
  const { url, key } = mixed.gateway
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'm',
      messages: [{ role: 'user', content: 'hi' }],
      logprobs: true,
      stop: [stop],
    }),
  })
  const { choices } = (await response.json()) as {
    choices: {
      message: { content: string }
      logprobs: { content: { token: string }[] } | null
    }[]
  }
  const [choice] = choices
  return {
    content: choice?.message.content,
    tokens: choice?.logprobs?.content.map(({ token }) => token),
  }
}

test('a chat client with a stop sequence reads the tokens of all that is said', async () => {
  expect(await completionWith('ZZZ')).toEqual({
    content: text,
    tokens: logprobs.map(({ token }) => token),
  })
})

test('a chat client reads no tokens from behind its stop sequence', async () => {
  expect(await completionWith('STOP')).toEqual({
    content: 'One two ',
    tokens: ['One', ' two', ' ST'],
  })
})
