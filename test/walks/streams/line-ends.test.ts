import { describe, expect, test } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import { startFakeAccount } from '../../../src/testing/fake-account.ts'
import { createTestGateway } from '../../../src/testing/gateway.ts'
import { ask, receive } from './asking.ts'
import { type Form, asDelivered, form } from './forms.ts'
import { accountFor, openStream } from './scripted.ts'

const sizes = [
  { size: 'small', more: '"more":[\n1,\n2]' },
  { size: 'large', more: `"more":[\n${`"${'é'.repeat(2_000)}",\n`.repeat(400)}1]` },
]
const ends = [
  { kind: 'LF', end: '\n', blank: '\n' },
  { kind: 'CR LF', end: '\r\n', blank: '\n' },
  { kind: 'CR', end: '\r', blank: '\n\n' },
]

/** The frame with another member, and each line of its data on a line of the frame. */
function inLines(frame: string, more: string, end: string): string {
  const data = frame
    .slice('data: '.length)
    .trimEnd()
    .replace('{', () => `{${more},\n`)
  return `: a comment${end}id: 1${end}data: ${data.replaceAll('\n', `${end}data: `)}${end}`
}

/** The answer of an account to a client. */
async function answered(account: Form, client: Form, sent: string, replyModel?: 'client') {
  await using speaker = await startFakeAccount((response) => {
    openStream(response)
    response.end(sent)
  })
  const settings = {
    ...accountFor(account, 'only', speaker.url),
    speaks: [account.name.split('-')[0]!],
  }
  await using gateway = await createTestGateway({
    accounts: [{ ...settings, ...(replyModel && { replyModel }) }],
  })
  const { text, reset } = await receive(await ask(gateway, client, { model: 'asked' }))
  const [entry] = await gateway.logged(1)
  return { text, reset, end: entry!['stream_end'] }
}

/** Times and ids differ from reply to reply. */
function withoutIds(text: string): string {
  return text.replaceAll(
    /"(?:id|item_id|responseId|created|created_at|completed_at)":("[^"]*"|\d+)/g,
    '',
  )
}

describe.each(sizes)('a $size event on lines', ({ size, more }) => {
  describe.each(ends)('that end with $kind', ({ kind, end, blank }) => {
    const nth = ends.findIndex((one) => one.kind === kind) + (size === 'large' ? 1 : 0)

    test.each(dailyRows([form.messages, form.responses, form.generate], nth))(
      'says the same to a client of $name as on one line',
      async (client) => {
        const [first, ...rest] = [...form.chat.output, ...form.chat.ending]
        const ordinary = await answered(form.chat, client, [first, ...rest].join(''))
        expect(ordinary).toMatchObject({ reset: false, end: 'complete' })
        expect(ordinary.text).toContain('Hello')
        const odd = await answered(
          form.chat,
          client,
          [inLines(first!, more, end), blank, ...rest].join(''),
        )
        expect(withoutIds(odd.text)).toBe(withoutIds(ordinary.text))
        expect(odd).toMatchObject({ reset: false, end: 'complete' })
      },
    )

    test('reaches a client of its own dialect as it is but for the name of the model', async () => {
      const [first, ...rest] = [...form.chat.output, ...form.chat.ending]
      const sent = [inLines(first!, more, end), blank, ...rest].join('')
      expect((await answered(form.chat, form.chat, sent)).text === sent).toBe(true)
      const { text } = await answered(form.chat, form.chat, sent, 'client')
      expect(text === sent.replaceAll('"model":"m"', '"model":"asked"')).toBe(true)
    })

    test.each([form.generate, form['generate-array']])(
      'is one line for a client of $name',
      async (client) => {
        const [first, ...rest] = [...form.generate.output, ...form.generate.ending]
        const odd = inLines(first!, more, end)
        const line = first!
          .replace('{', () => `{${more},\n`)
          .trimEnd()
          .replaceAll('\n', ' ')
        const closing = client.name === 'generate' ? '' : ']'
        for (const replyModel of [undefined, 'client'] as const) {
          const expected = asDelivered(client, [`${line}\n\n`, ...rest]) + closing
          const named = replyModel
            ? expected.replaceAll('"modelVersion":"m"', '"modelVersion":"asked"')
            : expected
          const sent = [odd, blank, ...rest].join('')
          const { text } = await answered(form.generate, client, sent, replyModel)
          expect(text === named).toBe(true)
        }
      },
    )

    test.each(dailyRows([form.generate, form['generate-array'], form.chat], nth))(
      'is whole without its blank line for a client of $name',
      async (client) => {
        const account = client === form.chat ? form.chat : form.generate
        const last = inLines(account.ending[0]!, more, end)
        const whole = await answered(account, client, [...account.output, last, blank].join(''))
        const open = await answered(account, client, [...account.output, last].join(''))
        expect(open).toMatchObject({ reset: false, end: whole.end })
        // The gateway ends a last line that has its end already.
        expect(open.text.trimEnd() === whole.text.trimEnd()).toBe(true)
      },
    )

    test('that is cut off at the end of a stream is an error', async () => {
      const last = inLines(form.generate.ending[0]!, more, end)
      const sent = [...form.generate.output, last.slice(0, -(2 + end.length))].join('')
      const { text, end: ended } = await answered(form.generate, form.generate, sent)
      expect(ended).toBe('broken')
      expect(text).toContain('cut off in the middle of a frame')
      expect(text).not.toMatch(form.generate.success)
    })
  })
})

test('the mark of the end is read behind a comment of any length', async () => {
  const [chunks, mark] = [[...form.chat.output, form.chat.ending[0]!], form.chat.ending[1]!]
  const comment = `: ${'x'.repeat(5 * 1024 * 1024)}\n`
  for (const client of [form.chat, form.messages]) {
    const ordinary = await answered(form.chat, client, [...chunks, mark].join(''))
    const { text, ...ending } = await answered(
      form.chat,
      client,
      [...chunks, comment, mark].join(''),
    )
    expect(ending).toEqual({ reset: false, end: 'complete' })
    const shown = text.replace(comment, '')
    expect(withoutIds(shown) === withoutIds(ordinary.text)).toBe(true)
  }
})
