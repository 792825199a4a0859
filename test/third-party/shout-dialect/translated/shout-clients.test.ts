import { describe, expect, test } from 'vitest'

import { type DialectName, names } from './clients/index.ts'
import { shoutClient } from './clients/shout.ts'
import { lookout, stageForeign } from './stage.ts'

const paths: Readonly<Record<DialectName, RegExp>> = {
  responses: /^\/v1\/responses$/,
  chat: /^\/v1\/chat\/completions$/,
  messages: /^\/v1\/messages$/,
  generate: /^\/v1beta\/models\/.*:(streamG|g)enerateContent/,
}

/** What an account that thought before it called a helper wants back with the result. */
const thoughts: Readonly<Record<DialectName, string>> = {
  responses: '"encrypted_content":"',
  chat: '"reasoning_content":"The user wrote',
  messages: '"signature":"',
  generate: '"thoughtSignature":"',
}

const ways = [
  { how: 'as JSON', stream: false },
  { how: 'streamed', stream: true },
]

describe.each(names)('a client of the shout dialect on an account of %s', (name) => {
  test.each(ways)('is served, $how', async ({ stream }) => {
    await using scene = await stageForeign(name)
    const { gateway, sandbox } = scene
    const system = 'Be brief.'
    const talk = shoutClient.open({ ...gateway, model: 'sandbox/echo', stream, system })

    expect(await talk.say('hear me')).toEqual({
      text: 'You said: hear me',
      calls: [],
      ending: 'done',
      usage: [4, 4],
    })
    expect(await talk.say('once more')).toMatchObject({ text: 'You said: once more' })
    expect(sandbox.requests).toHaveLength(2)
    for (const { url } of sandbox.requests) expect(url).toMatch(paths[name])
    const [line] = await gateway.logged(2)
    expect(line).toMatchObject({
      dialect: 'shout',
      account_dialect: name,
      route: 'shout.say',
      stream,
      input_tokens: 4,
      output_tokens: 4,
      response_id: expect.stringMatching(/^shout_/),
    })
  })

  test.each(ways)('has helpers called and tells what they said, $how', async ({ stream }) => {
    await using scene = await stageForeign(name)
    const helpers = [lookout]
    const talk = shoutClient.open({ ...scene.gateway, model: 'sandbox/tool', stream, helpers })

    const { calls, ending } = await talk.say('what is there?')
    expect(calls).toEqual([
      { id: expect.any(String), name: 'look_out', input: { place: 'example' } },
    ])
    expect(ending).toBe('calls')
    const last = await talk.answer(calls, 'a market')
    expect(last).toMatchObject({ text: 'The tool answered: a market', calls: [], ending: 'done' })
  })

  test.each(ways)('brings back the thoughts that it never saw, $how', async ({ stream }) => {
    await using scene = await stageForeign(name)
    const helpers = [lookout]
    const model = 'sandbox/think+tool'
    const talk = shoutClient.open({ ...scene.gateway, model, stream, helpers })
    const { calls } = await talk.say('what is there?')
    expect(await talk.answer(calls, 'a market')).toMatchObject({ ending: 'done', calls: [] })
    expect(scene.sandbox.requests[1]!.body.toString()).toContain(thoughts[name])
  })
})
