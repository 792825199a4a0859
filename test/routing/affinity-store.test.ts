import { expect, test } from 'vitest'

import { openStore } from '../../src/stores/open.ts'
import type { Store } from '../../src/stores/store.ts'
import { breakable } from '../../src/testing/breakable-store.ts'
import { until } from '../../src/testing/until.ts'
import { temporaryDirectory } from '../stores/temporary.ts'
import { refusing, serving } from '../walks/failover/pool.ts'
import { form } from '../walks/streams/forms.ts'
import { nearlyAlways, type Pair, startPair } from './pair.ts'

const { chat } = form
const notes = { fields: { prompt_cache_key: 'notes' } }

function startOn(store: string | Store): Promise<Pair> {
  return startPair(chat, { store, b: { weight: nearlyAlways } })
}

/** The notes are served by `a`, which nothing else is. */
async function serveNotesOnA(pair: Pair): Promise<void> {
  pair.b.script = refusing(500)
  expect(await pair.ask(notes)).toMatchObject({ account: 'a' })
  pair.b.script = serving(chat)
}

test('a gateway that starts again knows the affinities of the one before', async () => {
  await using directory = await temporaryDirectory()
  {
    await using before = await startOn(`file:${directory.path}`)
    await serveNotesOnA(before)
  }

  await using after = await startOn(`file:${directory.path}`)

  expect(await after.ask(notes)).toMatchObject({ status: 200, account: 'a' })
  expect(await after.ask()).toMatchObject({ status: 200, account: 'b' })
})

test('a replica knows what another one has learnt', async () => {
  const store = await openStore('memory:', { cwd: '.' })
  await using one = await startOn(store)
  await using other = await startOn(store)

  await serveNotesOnA(one)

  await until(
    async () =>
      (await store.records('affinities').getMany(['test cache:notes m']))[0] !== undefined,
  )
  expect(await other.ask(notes)).toMatchObject({ account: 'a' })
})

test('a store that cannot be read means no preference, told once', async () => {
  const store = breakable(await openStore('memory:', { cwd: '.' }))
  {
    await using before = await startOn(store)
    await serveNotesOnA(before)
  }
  await using after = await startOn(store)

  store.broken.reads = true
  for (let round = 0; round < 3; round++) {
    expect(await after.ask({ fields: { prompt_cache_key: `notes-${round}` } })).toMatchObject({
      status: 200,
      account: 'b',
    })
  }
  const complaints = after.gateway.log.filter(({ msg }) => String(msg).includes('affinities'))
  expect(complaints).toMatchObject([{ level: 'warn', failed_reads: 1 }])

  store.broken.reads = false
  expect(await after.ask(notes)).toMatchObject({ account: 'a' })
})

test('a store that cannot be written is written once it can be', async () => {
  const store = breakable(await openStore('memory:', { cwd: '.' }))
  {
    await using before = await startOn(store)
    store.broken.writes = true
    await serveNotesOnA(before)
    await until(() => before.gateway.log.some(({ msg }) => String(msg).includes('affinities')))
    store.broken.writes = false
    expect(await before.ask(notes)).toMatchObject({ status: 200, account: 'a' })
  }

  await using after = await startOn(store)
  expect(await after.ask(notes)).toMatchObject({ account: 'a' })
})
