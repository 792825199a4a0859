import { expect, test } from 'vitest'

import { servers } from '../../src/sandbox/presets/quirks.ts'
import { drivers } from '../matrix/drivers/index.ts'
import { dialectNames, type DialectName } from '../requests/dialects.ts'
import { tools } from '../walks/continuity/conversation.ts'
import { presetNames } from './preset-rows.ts'
import { startScene } from './presets-stage.ts'

type Scene = Awaited<ReturnType<typeof startScene>>

const ways = dialectNames.flatMap((client) =>
  [false, true].map((stream) => ({ client, stream, form: stream ? 'a stream' : 'JSON' })),
)

/** One conversation of an official SDK: it thinks, calls a tool, and brings all of that back. */
async function converse(scene: Scene, name: string, client: DialectName, stream: boolean) {
  const { url, key } = scene.gateway
  const { reasoning: place, refuses = [] } = servers[name]!
  const hasTools = !refuses.includes('tools')
  const conversation = drivers[client].open({
    url,
    key,
    stream,
    model: `${name}/x/think${hasTools ? '+tool=weather' : ''}`,
    settings: { reasoning: true, ...(hasTools && { tools }) },
    fetch,
  })
  const first = await conversation.say([{ text: 'How is Bern?' }])
  // A chat client reads what its account writes.
  const isRead = client === 'chat' ? place === undefined : place !== 'none'
  expect([name, isRead && first.reasoning]).toEqual([
    name,
    isRead && expect.stringContaining('The user wrote: How is Bern?'),
  ])
  if (client !== 'chat') expect(first.text, name).not.toMatch(/think>/)
  expect([name, first.calls.map((call) => call.name)]).toEqual([name, hasTools ? ['weather'] : []])
  const results = first.calls.map((call) => ({ call, text: 'sunny' }))
  if (hasTools) {
    // A native answer of Mistral is a list of parts.
    const { text } = await conversation.answer(results)
    expect([name, JSON.stringify(text)]).toEqual([name, expect.stringContaining('sunny')])
  }
  const { text, usage } = await conversation.say([{ text: 'And Rome?' }])
  expect([name, hasTools ? '' : text]).toEqual([
    name,
    hasTools ? '' : expect.stringContaining('Rome'),
  ])
  // Groq has the usage of a native stream in a place of its own.
  const hasUsage = Number(usage.input) > 0 && Number(usage.output) > 0
  expect([name, hasUsage]).toEqual([name, !(client === 'chat' && stream && name === 'groq')])
}

test.each(ways)('the official SDK of $client converses with each preset, as $form', async (way) => {
  await using scene = await startScene(presetNames)
  for (const name of presetNames) await converse(scene, name, way.client, way.stream)
  expect(scene.gateway.attemptWarnings).toEqual([])
})
