import { describe, expect, test } from 'vitest'

import { listeners } from './listeners.ts'
import { openaiVersions } from './openai.ts'
import { startWalk } from './walk.ts'

/** What goes wrong after the client has heard some words, and what it is told of it. */
const accidents = [
  { model: 'sandbox/words=20+cut=9', what: 'drops the connection', message: /connection/ },
  { model: 'sandbox/words=20+half=9', what: 'drops it inside an event', message: /connection/ },
  { model: 'sandbox/words=20+eof=9', what: 'ends too early', message: /ended before/ },
  { model: 'sandbox/words=20+halfeof=9', what: 'ends inside an event', message: /cut off/ },
  {
    model: 'sandbox/words=20+malformed=9',
    what: 'sends a broken event',
    message: /malformed event/,
  },
  { model: 'sandbox/words=20+error=9+message=overheated', what: 'fails', message: /overheated/ },
]

describe.for(listeners)('$client', ({ announcements, hearsErrors, isRaised, listen }) => {
  test.for(accidents)('raises when an account $what', async ({ model, message }) => {
    await using walk = await startWalk()
    const heard: string[] = []
    const error: unknown = await listen(walk, model, heard).catch((raised: unknown) => raised)
    expect(heard.join('')).toMatch(/^the sandbox keeps/)
    expect(error).toSatisfy(isRaised)
    if (hearsErrors) expect(String(error)).toMatch(message)
    const [line] = await walk.gateway.logged(1)
    expect(line).toMatchObject({ stream_end: 'broken', account: 'a', attempts: 1 })
  })

  test('hears only the spare when an account breaks before its first word', async () => {
    await using walk = await startWalk()
    const heard: string[] = []
    await listen(walk, `sandbox/words=20+cut=${announcements}+only=a`, heard)
    expect(heard.join('')).toBe('You said: hi')
    const [line] = await walk.gateway.logged(1)
    expect(line).toMatchObject({ stream_end: 'complete', account: 'b', attempts: 2 })
  })
})

test.for(accidents)(
  'the events of a response are counted on when an account $what',
  async ({ model }) => {
    await using walk = await startWalk()
    const { responses } = openaiVersions.at(-1)!.connect(walk)
    const answer = await responses.create({ model, input: 'hi', stream: true }).asResponse()
    const data = [...(await answer.text()).matchAll(/^data: (\{.*)$/gm)].map(
      ([, json = '']) => json,
    )
    const events = data.map((json) => JSON.parse(json) as { type: string; sequence_number: number })
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual([...events.keys()])
    expect(events.slice(-2).map(({ type }) => type)).toEqual(['error', 'response.failed'])
  },
)
