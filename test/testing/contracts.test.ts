import { describe, expect, test } from 'vitest'

import { dailyRows } from '../daily-rows.ts'
import type { GatewayPlugin } from '../../src/contract/plugin.ts'
import { dialectContract } from '../../src/testing/contracts/dialect.ts'
import { pluginContract } from '../../src/testing/contracts/plugin.ts'
import { formatFrame } from '../../src/dialect-kit/index.ts'
import { form, type FormName } from '../walks/streams/forms.ts'
import { brokenBy } from './broken-by.ts'

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

const names = ['responses', 'chat', 'messages', 'generate'] as const

describe.each(names)('%s', (name) => {
  const checks = dialectContract({ sample: sampleOf(name) })
  for (const check of dailyRows(checks, names.indexOf(name))) test(check.name, check.run)
})

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
