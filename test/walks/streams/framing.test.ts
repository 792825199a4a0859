import { setImmediate as nextTurn } from 'node:timers/promises'

import { describe, expect, test } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import { ask, receive } from './asking.ts'
import { eventsOf } from './events.ts'
import { form, forms, wholeStream } from './forms.ts'
import { openStream, stage } from './scripted.ts'

/** The same events, written as another server might write them. */
const spellings: Record<string, (stream: string) => string> = {
  'lines that end with CR LF': (stream) => stream.replaceAll('\n', '\r\n'),
  'no space after the colon': (stream) => stream.replaceAll(/^(data|event): /gm, '$1:'),
  'data in several lines': (stream) => stream.replaceAll(/^data: (\{.*)$/gm, spreadData),
  'comments between the events': (stream) => stream.replaceAll('\n\n', '\n\n: still here\n\n'),
  'comments inside the events': (stream) => stream.replaceAll(/^data: /gm, ': note\ndata: '),
  'the shortest of comments at its end': (stream) => `${stream}:\n\n`,
  'ids and retry times': (stream) => stream.replaceAll(/^data: /gm, 'id: 7\nretry: 10\ndata: '),
  'blank lines to spare': (stream) => `\n${stream.replaceAll('\n\n', '\n\n\n\n')}`,
}

function spreadData(_line: string, json: string): string {
  const lines = JSON.stringify(JSON.parse(json), null, 1).split('\n')
  return lines.map((line) => `data: ${line}`).join('\n')
}

describe.each(forms)('a client of a $name stream', (form) => {
  const stream = wholeStream(form).join('')
  const isGemini = form.provider === 'gemini'

  test.each(dailyRows(Object.entries(spellings), forms.indexOf(form)))(
    'gets every event of an account with %s',
    async (_, spell) => {
      await using scene = await stage(form, (response) => {
        openStream(response)
        response.end(spell(stream))
      })

      const { text, reset } = await receive(await ask(scene.gateway, form))

      expect(reset).toBe(false)
      if (!isGemini) expect(text).toBe(spell(stream))
      if (form.name === 'generate') expect(text).toMatch(/^(data: \{.*\}\r?\n\r?\n)+$/)
      expect(eventsOf(form, text)).toEqual(eventsOf({ ...form, name: 'chat' }, stream))
      expect((await scene.gateway.logged(1))[0]).toMatchObject({ stream_end: 'complete' })
    },
  )

  test('gets every event of an account that writes byte by byte', async () => {
    await using scene = await stage(form, async (response) => {
      openStream(response)
      for (const byte of Buffer.from(stream)) {
        response.write(Buffer.from([byte]))
        await nextTurn()
      }
      response.end()
    })

    const { text } = await receive(await ask(scene.gateway, form))

    expect(eventsOf(form, text)).toEqual(eventsOf({ ...form, name: 'chat' }, stream))
  })

  test.each([
    { missing: 'the last blank line', stream: stream.slice(0, -1) },
    { missing: 'all line ends of the last event', stream: stream.trimEnd() },
  ])('gets a whole last event when the account leaves out $missing', async ({ stream }) => {
    await using scene = await stage(form, (response) => {
      openStream(response)
      response.end(stream)
    })

    const { text, reset } = await receive(await ask(scene.gateway, form))

    expect(reset).toBe(false)
    const expected = eventsOf({ ...form, name: 'chat' }, `${stream.trimEnd()}\n\n`)
    expect(eventsOf(form, text)).toEqual(expected)
    expect((await scene.gateway.logged(1))[0]).toMatchObject({ stream_end: 'complete' })
  })
})

test('a chat client gets a clean end from an account that never says [DONE]', async () => {
  const { chat } = form
  const frames = wholeStream(chat).slice(0, -1)
  await using scene = await stage(chat, (response) => {
    openStream(response)
    response.end(frames.join(''))
  })

  const received = await receive(await ask(scene.gateway, chat))

  expect(received).toEqual({ text: frames.join(''), reset: false })
  expect((await scene.gateway.logged(1))[0]).toMatchObject({ stream_end: 'complete' })
})
