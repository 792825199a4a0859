import { describe, expect, test } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import { answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { createTestGateway } from '../../../src/testing/gateway.ts'
import { ask, receive } from './asking.ts'
import { type Form, type FormName, form, forms } from './forms.ts'
import { accountFor, openStream } from './scripted.ts'

/** The member of a frame that names the model. */
const frameMembers: Record<FormName, string> = {
  responses: '"response":{"model":"m"}',
  chat: '"model":"m"',
  messages: '"message":{"model":"m"}',
  generate: '"modelVersion":"m"',
  'generate-array': '"modelVersion":"m"',
}

/** A member of 6 MB: what has it is read in turns of the event loop. */
const more = `"more":[${`"${'x'.repeat(100)}",`.repeat(60_000)}1]`

const sizes = [
  ['small', '"more":1'],
  ['large', more],
] as const

function repeated(member: string): string {
  return `${member},`.repeat(20_000)
}

/** The whole reply of a form. */
function replyOf({ reply }: Form, members: string): string {
  return JSON.stringify(reply).replace('{', () => `{${members},`)
}

/** The answer to a client that reads its own name of the model. */
async function answered(form: Form, sent: readonly string[] | string) {
  const answer = typeof sent === 'string' ? answerJson(sent) : undefined
  await using account = await startFakeAccount((response, request) => {
    if (answer) return answer(response, request)
    openStream(response)
    response.end((sent as readonly string[]).join(''))
  })
  await using gateway = await createTestGateway({
    accounts: [accountFor(form, 'only', account.url, { replyModel: 'client' })],
  })
  const response = await ask(gateway, form, { model: 'asked', stream: !answer })
  const received = await receive(response)
  const [entry] = await gateway.logged(1)
  return { status: response.status, ...received, entry, held: gateway.gateway.held() }
}

describe.each(forms)('a client of a $name account that repeats its model', (form) => {
  test.each(dailyRows(sizes, forms.indexOf(form)))(
    'reads in its own dialect that a %s frame is too much',
    async (_, member) => {
      const [last, ...rest] = form.ending
      const frame = last!.replace(
        'data: {',
        () => `data: {${repeated(frameMembers[form.name])}${member},`,
      )
      const { text, reset, entry, held } = await answered(form, [
        ...form.announcements,
        form.output[0]!,
        frame,
        ...rest,
      ])
      expect(text).toContain('Hello')
      expect(text).not.toMatch(form.success)
      expect(entry).toMatchObject({ stream_end: 'broken', error_type: 'upstream_reply_too_large' })
      expect(reset).toBe(form.resets)
      if (form.name !== 'generate-array') expect(text).toContain('too many JSON values')
      expect(held).toBe(0)
    },
  )

  test.each(dailyRows(sizes, forms.indexOf(form) + 1))(
    'reads that a %s reply is too much',
    async (_, member) => {
      const name = form.name.startsWith('generate') ? '"modelVersion":"m"' : '"model":"m"'
      const { status, text, entry } = await answered(form, replyOf(form, repeated(name) + member))
      expect(status).toBe(502)
      expect(text).toContain('too many JSON values')
      expect(entry).toMatchObject({ error_type: 'upstream_reply_too_large' })
    },
  )

  test.each(dailyRows(sizes, forms.indexOf(form) + 2))(
    'reads its own name in a %s reply that does so a few times',
    async (_, member) => {
      const name = form.name.startsWith('generate') ? '"modelVersion"' : '"model"'
      const { status, text } = await answered(form, replyOf(form, `${name}:"m",${member}`))
      expect(status).toBe(200)
      const { reply } = form
      const shown = {
        ...reply,
        ...('model' in reply ? { model: 'asked' } : { modelVersion: 'asked' }),
      }
      expect(text === replyOf({ ...form, reply: shown }, `${name}:"asked",${member}`)).toBe(true)
    },
  )
})

test('a large event that spells the key with escapes names the model as its client asked', async () => {
  const { chat } = form
  const frames = (key: string, name: string) => [
    ...chat.output.map((frame) => frame.replace('"model":"m"', () => `${key}:${name},${more}`)),
    ...chat.ending.map((frame) => frame.replace('"model":"m"', () => `"model":${name}`)),
  ]
  const key = '"mo\\u0064el":"m","model"'
  const { text } = await answered(chat, frames(key, '"m"'))
  expect(text === frames(key.replace('"m"', '"asked"'), '"asked"').join('')).toBe(true)
})
