import { describe, expect, test } from 'vitest'

import { dailyRows } from '../daily-rows.ts'
import type { Answer } from '../../src/testing/fake-account.ts'
import { callsTo, serving, startPool } from '../walks/failover/pool.ts'
import { ask, receive } from '../walks/streams/asking.ts'
import {
  type Form,
  type FormName,
  form,
  forms,
  upToOutput,
  wholeStream,
} from '../walks/streams/forms.ts'
import { openStream } from '../walks/streams/scripted.ts'
import { errorShapes } from './error-shapes.ts'

/** What the account says of itself: the key that the gateway has for it. */
const secret = 'key-of-a'
const message = `no such tenant for ${secret}`

/** Errors as servers in front of an account write them, in forms of other dialects or of none. */
const events: Readonly<Record<string, string>> = {
  'an error as AWS writes it': `data: ${JSON.stringify({ error: { Message: message } })}\n\n`,
  'an error without a type': `data: ${JSON.stringify({ error: { message } })}\n\n`,
  'an error that is a text': `data: ${JSON.stringify({ error: message })}\n\n`,
  'an event called error': `event: error\ndata: ${JSON.stringify({ message })}\n\n`,
  'an object called error': `data: ${JSON.stringify({ object: 'error', message })}\n\n`,
  'an event of the type error': `data: ${JSON.stringify({ type: 'error', message })}\n\n`,
  'a detail': `data: ${JSON.stringify({ detail: message })}\n\n`,
  'a detail with a status': `data: ${JSON.stringify({ detail: message, code: 500 })}\n\n`,
  'a message': `data: ${JSON.stringify({ message, code: 500 })}\n\n`,
  'a message as AWS writes it': `data: ${JSON.stringify({ Message: message })}\n\n`,
  'details of a validation': `data: ${JSON.stringify({ detail: [{ msg: message }] })}\n\n`,
  'an error in a list': `data: ${JSON.stringify([{ error: { code: 503, message } }])}\n\n`,
  'an error behind output in a list': `data: ${JSON.stringify([{}, { error: message }])}\n\n`,
  ...Object.fromEntries(
    Object.entries(errorShapes(message)).map(([name, body]) => [
      name,
      `data: ${JSON.stringify(body)}\n\n`,
    ]),
  ),
}

const streams = forms.filter(({ name }) => name !== 'generate-array')

/** A client of the account's dialect, and one of another: all others read what the account's codec makes of a stream. */
const clientsOf = (account: Form) => [account, account.name === 'chat' ? form.messages : form.chat]

/** Errors beside output, where only the last one of a reply has a mark of its own. */
const generateEvents: Readonly<Record<string, string>> = Object.fromEntries(
  ['error', 'errors'].map((name) => [
    `${name} beside output`,
    `data: ${JSON.stringify({ ...form.generate.reply, candidates: [{}], [name]: [message] })}\n\n`,
  ]),
)

const data = (json: unknown, name = '') =>
  `${name && `event: ${name}\n`}data: ${JSON.stringify(json)}\n\n`

/** Errors that have a member or a type of events of the dialect. */
const ownEvents: Readonly<Partial<Record<FormName, Readonly<Record<string, string>>>>> = {
  chat: {
    'no choices and a message': data({ choices: [], message }),
    'no choices and a detail': data({ choices: [], detail: message, code: 500 }),
  },
  messages: {
    'a type of error': data({ type: 'overloaded_error', message }),
    'an exception alone': data({ type: 'InternalServerException' }),
    'a type with a code': data({ type: 'failure', code: 'Overloaded', message }),
  },
  responses: {
    'a type of error': data({ type: 'server_error', message }),
    'a problem': data({ type: 'about:blank', status: 502, detail: message }),
    'an event called response.error': data(
      { type: 'response.error', code: 'server_error', message },
      'response.error',
    ),
    'the name response.error alone': data({ message }, 'response.error'),
  },
  generate: {
    ...generateEvents,
    'no candidates and a message': data({ candidates: [], message, code: 500 }),
    'no usage and a message': data({ usageMetadata: {}, message }),
  },
}

const eventsOf = ({ name }: Form) => Object.entries({ ...events, ...ownEvents[name] })

describe.each(streams)('an account that speaks $name', (account) => {
  test.each(dailyRows(eventsOf(account), streams.indexOf(account)))(
    'and ends its output with %s',
    async (_, event) => {
      const script: Answer = (response) => {
        openStream(response, [...account.announcements, ...account.output, event])
        response.end(account.ending.join(''))
      }
      const speaks = [account.name]
      await using pool = await startPool(account, { a: script }, {}, (one) => ({ ...one, speaks }))
      for (const client of clientsOf(account)) {
        const { text } = await receive(await ask(pool.gateway, client))
        const said = [client.name, text.includes(secret), client.success.test(text)]
        expect([...said, text]).toEqual([client.name, false, false, text])
        expect(text).toMatch(/no such tenant|reported an error|terminated/)
      }
    },
  )

  test.each(dailyRows(eventsOf(account), streams.indexOf(account) + 1))(
    'and begins with %s: another one answers',
    async (_, event) => {
      const script: Answer = (response) => {
        openStream(response, [event])
        response.end(account.ending.join(''))
      }
      await using pool = await startPool(account, { a: script, b: serving(account) })
      const { text } = await receive(await ask(pool.gateway, account))
      expect(text).toMatch(account.success)
      expect(text).not.toContain(secret)
    },
  )
})

/** Those of servers whose events always have an error. */
const noErrors: Readonly<Record<string, object>> = {
  'an empty object': { error: {} },
  'an empty list': { error: [] },
  'a list of nothing': { errors: [null] },
  'an object without values': { error: { code: null, message: '' } },
}

describe.each(streams)('an account that speaks $name', (account) => {
  test.each(dailyRows(Object.entries(noErrors), streams.indexOf(account)))(
    'and has %s as error has not failed',
    async (_, members) => {
      const script: Answer = (response) => {
        openStream(response)
        response.end(
          wholeStream(account)
            .map((frame) => withMembers(frame, members))
            .join(''),
        )
      }
      const speaks = [account.name]
      await using pool = await startPool(account, { a: script }, {}, (one) => ({ ...one, speaks }))
      for (const client of clientsOf(account)) {
        const answer = await ask(pool.gateway, client)
        const { text } = await receive(answer)
        expect([client.name, answer.status, client.success.test(text)]).toEqual([
          client.name,
          200,
          true,
        ])
      }
    },
  )
})

/** The frame with further members at the end of its data, if that is an object. */
function withMembers(frame: string, members: object): string {
  return frame.replace(/\}\n\n$/, `,${JSON.stringify(members).slice(1)}\n\n`)
}

/** Events of no dialect, which report no error in any known form. */
const unknown: Readonly<Record<string, string>> = {
  'a fault': `data: ${JSON.stringify({ fault: { faultstring: message } })}\n\n`,
  'a state': `data: ${JSON.stringify({ status: 'error', reason: message })}\n\n`,
  'an event of its own': `event: notice\ndata: ${JSON.stringify({ type: 'notice', text: message })}\n\n`,
}

/** Events of the dialect that have a message, and report no error. */
const messages: Readonly<Partial<Record<FormName, Readonly<Record<string, string>>>>> = {
  chat: {
    'usage beside a message': data({ choices: [], usage: { prompt_tokens: 3 }, message }),
  },
  messages: { 'a ping with a message': data({ type: 'ping', message }, 'ping') },
  responses: {
    'progress with a message': data({ type: 'response.in_progress', message }),
    'a note with a message': data({ type: 'codex.rate_limits', message }, 'codex.rate_limits'),
  },
  generate: {
    'usage beside a message': data({ usageMetadata: { promptTokenCount: 3 }, message }),
  },
}

const unknownOf = ({ name }: Form) => Object.entries({ ...unknown, ...messages[name] })

/** Events of providers that have no output, or an error in a place of its own. */
const ordinary: Readonly<Partial<Record<FormName, Readonly<Record<string, string>>>>> = {
  chat: {
    'a filter of the prompt': data({
      choices: [],
      prompt_filter_results: [
        { content_filter_results: { error: { code: 'content_filter_error', message } } },
      ],
    }),
    'a filter of the output': data({
      choices: [{ index: 0, finish_reason: null, content_filter_results: { error: { message } } }],
    }),
    'choices without a value': data({ choices: [], message: null, code: 0, detail: '' }),
  },
  responses: {
    'a failed call of a tool': data({ type: 'response.code_interpreter_call.failed', error: null }),
    'an event of later': data({ type: 'response.terminal.delta', delta: message }),
  },
  messages: {
    'a block of later': data({
      type: 'content_block_delta',
      index: 9,
      delta: { type: 'x', error: message },
    }),
  },
  generate: { 'a state of the model': data({ candidates: [], modelStatus: { message } }) },
}

describe.each(streams)('an account that speaks $name', (account) => {
  test.each(Object.entries(ordinary[account.name] ?? {}))(
    'and sends %s: its client gets it as it is',
    async (_, event) => {
      const script: Answer = (response) => {
        openStream(response, upToOutput(account))
        response.end([event, ...wholeStream(account).slice(upToOutput(account).length)].join(''))
      }
      await using pool = await startPool(account, { a: script })
      const { text } = await receive(await ask(pool.gateway, account))
      expect(text).toContain(event)
      expect(text).toMatch(account.success)
    },
  )
})

describe.each(streams)('an account that speaks $name', (account) => {
  test.each(dailyRows(unknownOf(account), streams.indexOf(account)))(
    'and sends %s shows no key',
    async (_, event) => {
      const speaks = [account.name]
      for (const before of [account.announcements, upToOutput(account)]) {
        const script: Answer = (response) => {
          openStream(response, [...before, event])
          response.end(wholeStream(account).slice(before.length).join(''))
        }
        await using pool = await startPool(account, { a: script }, {}, (one) => ({
          ...one,
          speaks,
        }))
        for (const client of clientsOf(account)) {
          const { text } = await receive(await ask(pool.gateway, client))
          const said = [client.name, text.includes(secret), client.success.test(text)]
          expect([...said, text]).toEqual([client.name, false, true, text])
        }
      }
    },
  )

  test.each(dailyRows(Object.entries(unknown), streams.indexOf(account)))(
    'and sends nothing but %s: another one answers',
    async (_, event) => {
      const script: Answer = (response) => {
        openStream(response, [event])
        response.end()
      }
      await using pool = await startPool(account, { a: script, b: serving(account) })
      expect((await receive(await ask(pool.gateway, account))).text).toMatch(account.success)
    },
  )
})

interface Reported {
  readonly event: string
  /** The status that it stands for. */
  readonly status: number
}

/** Mistakes of the caller, in forms of other dialects or of none. */
const mistakes: Readonly<Record<string, Reported>> = {
  'a status': { event: data({ error: { message: 'too long', code: 400 } }), status: 400 },
  'a status in a list of lists': { event: data({ error: [[{ code: 400 }]] }), status: 400 },
  'a number': { event: data({ error: 422 }), status: 422 },
  'a type of OpenAI': {
    event: data({ error: { message: 'too long', type: 'invalid_request_error' } }),
    status: 400,
  },
  'a text as status': { event: data({ error: { message: 'too long', code: '422' } }), status: 422 },
  'a status of no other meaning': { event: data({ error: { code: 409 } }), status: 409 },
  'a status called so': { event: data({ error: { message: 'no', status: 400 } }), status: 400 },
  'a status_code': { event: data({ error: { message: 'no', status_code: 422 } }), status: 422 },
  'a type of vLLM': {
    event: data({ error: { message: 'no', type: 'BadRequestError', code: null } }),
    status: 400,
  },
  'a value that is wrong': { event: data({ error: { type: 'value_error' } }), status: 400 },
  'a type of its own': {
    event: data({ error: { type: 'unprocessable_entity_error' } }),
    status: 422,
  },
  'a filter of contents': { event: data({ error: { code: 'content_filter' } }), status: 400 },
}

const googles = { status: 'INVALID_ARGUMENT', message: 'no such field' }

/** Those in the words of one dialect. */
const ownMistakes: Readonly<Partial<Record<FormName, Readonly<Record<string, Reported>>>>> = {
  responses: Object.fromEntries(
    ['image_parse_error', 'invalid_image', 'invalid_prompt', 'unsupported_image_media_type'].map(
      (code) => [
        `the code ${code} of a flat event`,
        { event: data({ type: 'error', code, message: 'no', param: null }, 'error'), status: 400 },
      ],
    ),
  ),
  generate: {
    'a name in a list': { event: data([{ error: googles }]), status: 400 },
    'a name in an event': { event: data(googles, 'error'), status: 400 },
    'a name in an object': { event: data({ object: 'error', status: 'NOT_FOUND' }), status: 404 },
  },
}

/** More than the failures in a row that open a circuit. */
const calls = 6

describe.each(streams)('an account that speaks $name and calls a request wrong', (account) => {
  test.each(
    dailyRows(
      Object.entries({ ...mistakes, ...ownMistakes[account.name] }),
      streams.indexOf(account),
    ),
  )('by %s takes nothing from other calls, whichever client asks', async (_, { event, status }) => {
    let isWrong = true
    const script: Answer = (response, request) => {
      if (!isWrong) return serving(account)(response, request)
      openStream(response, [event])
      response.end()
    }
    const speaks = [account.name]
    const scripts = { a: script, b: serving(account) }
    await using pool = await startPool(account, scripts, {}, (one) => ({ ...one, speaks }))
    for (const client of clientsOf(account)) {
      isWrong = true
      for (let call = 0; call < calls; call++) {
        const answer = await ask(pool.gateway, client)
        expect([client.name, answer.status]).toEqual([client.name, status])
      }
      isWrong = false
      expect((await receive(await ask(pool.gateway, client))).text).toMatch(client.success)
    }
    expect(callsTo(pool.accounts.a)).toHaveLength(2 * (calls + 1))
    expect(callsTo(pool.accounts.b)).toHaveLength(0)
  })
})

const unpaid = { type: 'invalid_request_error', code: 'billing_hard_limit_reached', message: 'no' }
const openAiFaults = {
  'a limit of its bill': data({ error: unpaid }),
  'its end': data({ error: { ...unpaid, code: 'account_deactivated' } }),
  'its country': data({ error: { code: 'unsupported_country_region_territory' } }),
}

/** Faults of the account, in the words of its dialect. */
const faults: Readonly<Partial<Record<FormName, Readonly<Record<string, string>>>>> = {
  chat: openAiFaults,
  responses: {
    ...openAiFaults,
    'a limit of its bill, in an event': data({ type: 'error', error: unpaid }, 'error'),
    'a limit of its bill, flat': data({ ...unpaid, type: 'error' }, 'error'),
    'a limit of its bill, in a response': data(
      { type: 'response.failed', response: { id: 'r', status: 'failed', error: unpaid } },
      'response.failed',
    ),
  },
  messages: {
    'its load': data({ error: { type: 'overloaded_error' } }),
    'its bill': data({ error: { type: 'billing_error' } }),
  },
  generate: {
    'its load': data([{ error: { status: 'UNAVAILABLE' } }]),
    'its quota': data({ status: 'RESOURCE_EXHAUSTED' }, 'error'),
  },
}

/** Statuses about the way to the account, which say nothing about the request. */
const faultsOfTheWay = {
  'a proxy that asks for credentials': data({ error: { code: 407 } }),
  'a server behind it': data({ error: { code: 'invalid_response', message: 'no' } }),
  'another server': data({ error: { code: 421 } }),
}

describe.each(streams)('an account that speaks $name and reports', (account) => {
  test.each(
    dailyRows(
      Object.entries({ ...faults[account.name], ...faultsOfTheWay }),
      streams.indexOf(account),
    ),
  )('%s leaves the call to another one, whichever client asks', async (_, event) => {
    const script: Answer = (response) => {
      openStream(response, [event])
      response.end()
    }
    const speaks = [account.name]
    const scripts = { a: script, b: serving(account) }
    for (const client of clientsOf(account)) {
      await using pool = await startPool(account, scripts, {}, (one) => ({ ...one, speaks }))
      const answer = await ask(pool.gateway, client)
      expect([client.name, answer.status]).toEqual([client.name, 200])
      expect((await receive(answer)).text).toMatch(client.success)
      expect(callsTo(pool.accounts.a)).toHaveLength(1)
    }
  })
})
