import { describe, expect, test } from 'vitest'

import type { ForwardOperation, NativeForward, Operation } from '../../src/contract/operation.ts'
import type { GatewayPlugin } from '../../src/contract/plugin.ts'
import { dialectContract } from '../../src/testing/contracts/dialect.ts'
import { pluginContract } from '../../src/testing/contracts/plugin.ts'
import { shout, shoutDialect } from '../third-party/shout-dialect/index.ts'
import { formatFrame } from '../../src/dialect-kit/index.ts'
import { reply, whole } from '../third-party/shout-dialect/speaking.ts'
import { form, type FormName } from '../walks/streams/forms.ts'
import { brokenBy } from './broken-by.ts'

const shouted = {
  provider: 'megaphone',
  path: '/shout/v1/say',
  request: { voice: 'stentor', words: 'hear me' },
  streamRequest: { voice: 'stentor', words: 'hear me', loud: true },
  reply,
  frames: whole,
  errorFrames: (message: string) => [formatFrame('cough', { oops: message, number: 502 })],
}

function sampleOf(name: FormName) {
  const { provider, headers, path, body, reply: json } = form[name]
  const { announcements, output, ending, inBandError } = form[name]
  return {
    provider,
    headers,
    path: path('m', false),
    streamPath: path('m', true),
    request: body('m', false),
    streamRequest: body('m', true),
    reply: json,
    frames: [...announcements, ...output, ending.join('')],
    errorFrames: (message: string) => [
      inBandError.replace('overworked', message),
      ...(name === 'responses' ? [failedResponse(message)] : []),
    ],
  }
}

/** The other form in which the Responses API reports an error. */
function failedResponse(message: string): string {
  const error = { code: 'server_error', message }
  const response = { id: 'resp_1', object: 'response', status: 'failed', error, output: [] }
  return formatFrame('response.failed', { type: 'response.failed', sequence_number: 4, response })
}

describe.each(['responses', 'chat', 'messages', 'generate'] as const)('%s', (name) => {
  for (const check of dialectContract({ sample: sampleOf(name) })) test(check.name, check.run)
})

describe('a dialect of somebody else', () => {
  for (const check of dialectContract({ plugins: [shout()], sample: shouted })) {
    test(check.name, check.run)
  }
})

/** The foreign dialect, with its operation spoiled. */
type NativeOperation = ForwardOperation & { readonly forward: NativeForward }

const isNative = (operation: Operation): operation is NativeOperation =>
  'forward' in operation && 'observer' in operation.forward

function spoiled(change: (operation: NativeOperation) => Operation) {
  const operations = shoutDialect.operations.map((one) => (isNative(one) ? change(one) : one))
  return [{ name: 'spoiled', dialects: [{ ...shoutDialect, operations }] }]
}

test.each<[string, RegExp, GatewayPlugin[]]>([
  [
    'takes every end for a good one',
    /is no success/,
    spoiled((say) => ({
      ...say,
      forward: {
        ...say.forward,
        observer: (exchange) => {
          const observer = say.forward.observer(exchange)
          return {
            ...observer,
            contentType: observer.contentType,
            observe: (frames) => observer.observe(frames),
            end: () => ({ phase: 'terminal' }),
            fail: (error) => observer.fail(error),
            keepAlive: () => observer.keepAlive(),
          }
        },
      },
    })),
  ],
  ['needs no key', /without a key/, [{ name: 'open', onAuthenticate: () => anybody }, shout()]],
  [
    'answers for itself',
    /a reply passes|a stream passes/,
    [{ name: 'own', onCall: () => ({ status: 200, headers: {}, body: 'mine' }) }, shout()],
  ],
  [
    'is silent about what is wrong',
    /is not shown by its error|no object/,
    [{ name: 'mute', dialects: [{ ...shoutDialect, error: () => ({ status: 200, body: {} }) }] }],
  ],
])('a dialect that %s is found out', async (_how, which, plugins) => {
  const found = await brokenBy(dialectContract({ plugins, sample: shouted }))
  expect(found.filter((name) => which.test(name))).not.toEqual([])
})

const anybody = { keyId: 'anybody', mayUse: () => true }

describe('a plugin that does nothing wrong', () => {
  const make = () => ({ name: 'good', onEnd() {}, onDispose() {} })
  for (const check of pluginContract({ make })) test(check.name, check.run)
})

test.each<[string, string[], () => GatewayPlugin]>([
  [
    'has a hook of a wrong name',
    // No gateway starts with it.
    [
      'has no unknown hook',
      'lets every dialect through, as JSON',
      'lets every dialect through, streamed',
      'shows no secret in logs and replies',
      'starts, serves and ends without a failure',
    ],
    () => ({ name: 'typo', onAuthentication() {} }) as GatewayPlugin,
  ],
  ...Object.entries<Partial<GatewayPlugin>>({
    'does not start': { onStart: () => Promise.reject(new Error('no disk')) },
    'has a task that fails': { tasks: { refresh: () => Promise.reject(new Error('no service')) } },
    'has a task that does not end': { tasks: { refresh: () => new Promise(() => {}) } },
    'has a probe that throws': {
      probes: {
        queue: () => {
          throw new Error('no queue')
        },
      },
    },
    'has a probe without a result': { probes: { queue: () => ({}) as never } },
    'adds no field that the access log takes': { onAccessLog: () => ({ list: [] as never }) },
    'fails at the end of a call': {
      onEnd() {
        throw new Error('no end')
      },
    },
  }).map(([how, hooks]): [string, string[], () => GatewayPlugin] => [
    how,
    ['starts, serves and ends without a failure'],
    () => ({ name: 'broken', ...hooks }),
  ]),
  [
    'refuses calls',
    ['lets every dialect through, as JSON', 'lets every dialect through, streamed'],
    () => ({ name: 'no', onCall: () => ({ status: 403, headers: {}, body: 'no' }) }),
  ],
  [
    'tells the key',
    ['shows no secret in logs and replies'],
    () => ({
      name: 'told',
      async onExchange({ exchange, next }) {
        const answer = await next()
        const told = exchange.request.headers.authorization ?? ''
        return { ...answer, headers: { ...answer.headers, 'x-told': told } }
      },
    }),
  ],
  [
    'cannot be disposed of twice',
    ['can be disposed of twice'],
    () => {
      let gone = false
      return {
        name: 'once',
        onDispose() {
          if (gone) throw new Error('It is gone.')
          gone = true
        },
      }
    },
  ],
])('a plugin that %s is found out', async (_how, names, make) => {
  expect(await brokenBy(pluginContract({ make }))).toEqual(names)
})
