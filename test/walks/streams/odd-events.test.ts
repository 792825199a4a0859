import { expect, test } from 'vitest'

import { ask } from './asking.ts'
import { form } from './forms.ts'
import { openStream, stage } from './scripted.ts'

const { chat, responses, messages, generate } = form

test.each([
  { form: chat, what: 'a list', data: '[1]' },
  { form: chat, what: 'a number', data: '7' },
  { form: chat, what: 'null', data: 'null' },
  { form: chat, what: 'choices that are none', data: '{"choices":7}' },
  { form: chat, what: 'a choice that is none', data: '{"choices":[null]}' },
  { form: chat, what: 'a delta that is none', data: '{"choices":[{"index":0,"delta":7}]}' },
  { form: chat, what: 'an error that is a word', data: '{"error":"overworked"}' },
  { form: responses, what: 'no response', data: '{"type":"response.created","response":null}' },
  { form: responses, what: 'a bare error', data: '{"type":"error"}' },
  { form: messages, what: 'no message', data: '{"type":"message_start","message":null}' },
  { form: messages, what: 'a bare error', data: '{"type":"error","error":null}' },
  { form: generate, what: 'a bare error', data: '{"error":{}}' },
])(
  'a $form.name client is told of a broken upstream when all it sends is $what',
  async ({ form, data }) => {
    await using scene = await stage(form, (response) => {
      openStream(response)
      response.end(`data: ${data}\n\n`)
    })

    const response = await ask(scene.gateway, form)

    const body = (await response.json()) as { error: { code: number } }
    expect(response.status).toBe(body.error.code)
    expect([500, 502]).toContain(response.status)
    const [line] = await scene.gateway.logged(1)
    expect(line?.error_type).toMatch(/^upstream_/)
  },
)
