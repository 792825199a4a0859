import { describe, expect, test } from 'vitest'

import { stage } from '../speaking.ts'
import { clients, names } from './clients/index.ts'
import { lookout } from './stage.ts'
import { strictAccount } from './strict-account.ts'

const ways = [
  { how: 'as JSON', stream: false },
  { how: 'streamed', stream: true },
]

describe.each(names)('a client of %s on a shout account', (name) => {
  const client = clients[name]

  test.each(ways)('is served, $how', async ({ stream }) => {
    await using scene = await stage([strictAccount])
    const { gateway, accounts } = scene
    const system = 'Be brief.'
    const talk = client.open({ ...gateway, model: 'stentor', stream, system })

    expect(await talk.say('hear me')).toEqual({
      text: 'HEAR ME',
      calls: [],
      ending: client.done,
      usage: [3, 2],
    })
    expect(await talk.say('once more')).toMatchObject({ text: 'ONCE MORE' })
    const [first, second] = accounts[0]!.requests
    expect(`${first!.method} ${first!.url}`).toBe('POST /shout/v1/say')
    expect(first!.headers).toMatchObject({ 'x-megaphone': 'key-of-first', 'x-shout-edition': '3' })
    expect(JSON.parse(second!.body.toString())).toMatchObject({
      voice: 'stentor',
      words: [
        { by: 'prompter', words: 'Be brief.' },
        { by: 'crowd', words: 'hear me' },
        { by: 'voice', words: 'HEAR ME' },
        { by: 'crowd', words: 'once more' },
      ],
    })
    const [line] = await gateway.logged(2)
    expect(line).toMatchObject({
      dialect: name,
      account_dialect: 'shout',
      stream,
      input_tokens: 3,
      output_tokens: 2,
    })
  })

  test.each(ways)('has tools called and tells what they said, $how', async ({ stream }) => {
    await using scene = await stage([strictAccount])
    const helpers = [lookout]
    const talk = client.open({ ...scene.gateway, model: 'stentor', stream, helpers })

    const { calls, ending } = await talk.say('what is there?')
    expect(calls).toMatchObject([{ name: 'look_out', input: { place: 'Rome' } }])
    expect(ending).toBe(client.waiting)
    const last = await talk.answer(calls, 'a market')
    expect(last).toMatchObject({ text: 'A MARKET', calls: [], ending: client.done })

    const { helpers: offered, words } = JSON.parse(
      scene.accounts[0]!.requests[1]!.body.toString(),
    ) as { helpers: unknown; words: unknown }
    expect(offered).toEqual([lookout])
    expect(words).toEqual([
      { by: 'crowd', words: 'what is there?' },
      {
        by: 'voice',
        words: '',
        calls: [{ id: expect.any(String), helper: 'look_out', with: { place: 'Rome' } }],
      },
      { by: 'helper', call: expect.any(String), words: 'a market' },
    ])
  })
})
