import { describe, expect, test } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import { ask, receive } from '../streams/asking.ts'
import { asDelivered, type Form, forms, wholeStream } from '../streams/forms.ts'
import { cut, openStream } from '../streams/scripted.ts'
import { callsTo, refusing, type Script, serving, startPool } from './pool.ts'

const refusals = [401, 402, 403, 407, 408, 421, 429, 500, 502, 503, 504, 529].map((status) => ({
  what: `answers ${status}`,
  script: refusing(status) as Script,
}))

const mishaps: readonly { what: string; script: Script }[] = [
  ...refusals,
  { what: 'cannot be reached', script: 'closed' },
  {
    what: 'resets the connection',
    script: (response) => void response.socket?.resetAndDestroy(),
  },
  {
    what: 'redirects',
    script: refusing(302, { location: 'http://127.0.0.1:9/elsewhere' }),
  },
  {
    what: 'answers with a page',
    script: (response) =>
      void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>'),
  },
  { what: 'says nothing', script: () => {} },
]

const streamMishaps: readonly { what: string; happens: (form: Form) => Script }[] = [
  {
    what: 'begins with an error event',
    happens: (form) => (response) => {
      openStream(response)
      response.end(form.inBandError)
    },
  },
  {
    what: 'tells of an error after its announcements',
    happens: (form) => (response) => {
      openStream(response)
      response.end([...form.announcements, form.inBandError].join(''))
    },
  },
  {
    what: 'drops the connection after its announcements',
    happens: (form) => (response) => {
      openStream(response, form.announcements)
      cut(response)
    },
  },
  {
    what: 'ends after its announcements',
    happens: (form) => (response) => {
      openStream(response, form.announcements)
      response.end()
    },
  },
  {
    what: 'falls silent after its announcements',
    happens: (form) => (response) => openStream(response, form.announcements),
  },
  {
    what: 'falls silent in the middle of its first output',
    happens: (form) => (response) =>
      openStream(response, [...form.announcements, form.output[0]!.slice(0, -5)]),
  },
  {
    what: 'sends a broken event after its announcements',
    happens: (form) => (response) => {
      openStream(response, form.announcements)
      response.end('data: {"oops\n\n')
    },
  },
]

const timeouts = { firstByteMs: 600, idleMs: 600 }

describe.concurrent.each(forms)('a client of a $name stream gets all of it from b', (form) => {
  const scripts = [
    ...mishaps,
    ...streamMishaps.map(({ what, happens }) => ({ what, script: happens(form) })),
  ]

  test.each(dailyRows(scripts, forms.indexOf(form)))('when a $what', async ({ script }) => {
    await using pool = await startPool(form, { a: script, b: serving(form) }, { timeouts })

    const response = await ask(pool.gateway, form)
    const { text } = await receive(response)

    const closing = form.name === 'generate-array' ? ']' : ''
    expect(text).toBe(asDelivered(form, wholeStream(form)) + closing)
    expect(response.headers.get('x-dragoman-account')).toBe('b')
    const [line] = await pool.gateway.logged(1)
    expect(line).toMatchObject({
      level: 'info',
      status: 200,
      account: 'b',
      attempts: 2,
      stream_end: 'complete',
    })
    expect(line).not.toHaveProperty('error_type')
    expect(pool.accounts.b.requests).toHaveLength(1)
    expect(callsTo(pool.accounts.a)).toHaveLength(script === 'closed' ? 0 : 1)
  })
})

describe.concurrent.each(forms.filter(({ name }) => name !== 'generate-array'))(
  'a client of a $name reply gets it from b',
  (form) => {
    const replies = [
      ...mishaps,
      {
        what: 'drops the connection half-way',
        script: ((response) => {
          response.writeHead(200, { 'content-type': 'application/json' })
          response.write('{"id":')
          cut(response)
        }) as Script,
      },
    ]
    test.each(dailyRows(replies, forms.indexOf(form)))('when a $what', async ({ script }) => {
      await using pool = await startPool(form, { a: script, b: serving(form) }, { timeouts })

      const response = await ask(pool.gateway, form, { stream: false })

      expect(await response.json()).toEqual(form.reply)
      expect(response.headers.get('x-dragoman-account')).toBe('b')
      expect((await pool.gateway.logged(1))[0]).toMatchObject({
        status: 200,
        account: 'b',
        attempts: 2,
        stream_end: 'complete',
      })
    })
  },
)
