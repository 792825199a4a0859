import { describe, expect, test } from 'vitest'

import { clients, plainChatClient } from './clients.ts'
import { signaturesTold, signing, startNumbering } from './numbering-account.ts'
import { dialects } from './stage.ts'

const ways = clients.flatMap((client) =>
  dialects.filter((account) => account !== client.speaks).map((account) => ({ client, account })),
)

test.for(ways)(
  '$client.name reads other ids in every conversation with an account of $account that gives none',
  async ({ client, account }) => {
    await using stage = await startNumbering(account)
    const { gateway } = stage
    const open = () => client.open({ gateway, model: 'm', stream: false })
    const [first, second] = [await open().ask('How is Bern?'), await open().ask('How is Bern?')]
    const ids = [first, second].flatMap(({ calls }) => calls.map(({ id }) => id))

    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(2)
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_-]{1,40}$/)
  },
)

describe.for(signing)('chat clients of one key on an account of %s', (account) => {
  const open = ({ gateway }: Awaited<ReturnType<typeof startNumbering>>) =>
    plainChatClient.open({ gateway, model: 'm', stream: false })

  test('that names no calls keep their conversations apart', async () => {
    await using stage = await startNumbering(account)
    const [first, second] = [open(stage), open(stage)]
    await first.ask('How is Bern?')
    await second.ask('How is Bern?')

    expect((await first.answer(['result 0'])).text).toBe('done')
    expect(signaturesTold(stage)).toEqual([1])
    expect((await second.answer(['result 1'])).text).toBe('done')
    expect(signaturesTold(stage)).toEqual([2])
  })

  test('that names every call alike keep them apart, since they call for other things', async () => {
    await using stage = await startNumbering(account, 'call_0')
    const [first, second] = [open(stage), open(stage)]
    await first.ask('How is Bern?')
    await second.ask('How is Basel?')

    expect((await first.answer(['result 0'])).text).toBe('done')
    expect(signaturesTold(stage)).toEqual([1])
    expect((await second.answer(['result 1'])).text).toBe('done')
    expect(signaturesTold(stage)).toEqual([2])
  })
})
