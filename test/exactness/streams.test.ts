import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { dailySteps } from '../daily-rows.ts'
import { answerStream } from '../../src/testing/fake-account.ts'
import type { DialectName } from '../requests/dialects.ts'
import { startService } from '../requests/service.ts'
import { sequences } from './event-kinds.ts'
import { anyCuts, cutAnywhere } from './json-text.ts'
import {
  formatEvent,
  type FrameStyle,
  frameStyles,
  readEvents,
  type SentEvent,
} from './sse-events.ts'

const streamed: Record<DialectName, { fields?: object; path?: string }> = {
  responses: { fields: { stream: true } },
  chat: { fields: { stream: true, stream_options: { include_usage: true } } },
  messages: { fields: { stream: true } },
  generate: { path: '/v1beta/models/m:streamGenerateContent?alt=sse' },
}

test.each(['responses', 'chat', 'messages'] as const)(
  'a %s stream comes out event for event, however it was cut and framed',
  async (dialect) => {
    await expectStreams(dialect, ({ sent, received }) => {
      expect(readEvents(received)).toEqual(readEvents(sent))
    })
  },
)

// Names, comments and lines go: each of them breaks one of this dialect's SDKs.
test('a Gemini stream comes out chunk for chunk, each on one line', async () => {
  await expectStreams('generate', ({ sent, received }) => {
    expect(readEvents(received)).toEqual(readEvents(sent).map(onOneLine))
    const lines = received.split(/\r?\n/).filter((line) => line !== '')
    expect(lines.every((line) => line.startsWith('data: '))).toBe(true)
    expect(lines).toHaveLength(readEvents(sent).length)
  })
})

test('a Gemini stream comes out as one array of the same JSON texts', async () => {
  const path = '/v1beta/models/m:streamGenerateContent'
  await expectStreams(
    'generate',
    ({ sent, received }) => {
      const texts = readEvents(sent).map((event) => onOneLine(event).data)
      expect(received).toBe(`[${texts.join(',\n')}]`)
    },
    { path },
  )
})

interface Passed {
  readonly sent: string
  readonly received: string
}

/** Streams many valid sequences through one gateway. */
async function expectStreams(
  dialect: DialectName,
  check: (passed: Passed) => void,
  { fields, path } = streamed[dialect],
): Promise<void> {
  let pieces: Buffer[] = []
  await using service = await startService({}, (response, request) =>
    answerStream(pieces)(response, request),
  )
  const property = fc.asyncProperty(
    sequences[dialect],
    frameStyles,
    anyCuts,
    fc.boolean(),
    async (events, styles, cuts, complete) => {
      const sent = toText(events, styles, complete)
      pieces = cutAnywhere(Buffer.from(sent), cuts)
      const response = await service.ask(dialect, fields, path === undefined ? {} : { path })
      check({ sent, received: await response.text() })
      expect(response.status).toBe(200)
    },
  )
  await fc.assert(property, { numRuns: dailySteps(40) })
}

/** Servers often leave the last blank line out. */
function toText(
  events: readonly SentEvent[],
  styles: readonly FrameStyle[],
  complete: boolean,
): string {
  const text = events
    .map((event, index) => formatEvent(event, styles[index % styles.length] as FrameStyle))
    .join('')
  return complete ? text : text.replace(/(\r?\n){2}$/, '')
}

function onOneLine({ data }: { data: string }) {
  return { name: '', data: data.replaceAll('\n', ' ') }
}
