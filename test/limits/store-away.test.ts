import { appendFile, mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { openSpill } from '../../src/lib/spill.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import type { Meter } from '../../src/stores/meter.ts'
import { StoreUnavailable } from '../../src/stores/store.ts'
import { breakable } from '../../src/testing/breakable-store.ts'
import { until } from '../../src/testing/until.ts'
import { type StageOptions, limitStage } from './stage.ts'

const echo = 'sandbox/echo'

/** A stage whose store a test can take away. */
async function stageOn(options: StageOptions) {
  const store = breakable(openMemoryStore())
  const spool = await mkdtemp(join(tmpdir(), 'dragoman-limits-'))
  const stage = await limitStage({ ...options, store, spool })
  const setAway = (isAway: boolean) =>
    void Object.assign(store.broken, { reads: isAway, writes: isAway })
  return { stage, store, spool, setAway, [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose]() }
}

describe('while the store is away', () => {
  test('a process counts rates and calls at once alone, and says so', async () => {
    await using scene = await stageOn({
      key: [
        { kind: 'requests', amount: 2 },
        { kind: 'concurrent', amount: 1 },
      ],
    })
    const { stage, setAway } = scene
    setAway(true)
    const served = await stage.chat(echo)
    expect([served.status, served.headers.get('x-dragoman-stale')]).toEqual([200, 'limits'])
    const slow = await stage.send('/v1/chat/completions', {
      model: 'sandbox/words=50+pace=20',
      stream: true,
      messages: [{ role: 'user', content: 'x' }],
    })
    expect(slow.status).toBe(200)
    expect((await stage.chat(echo)).error.details[0]).toMatchObject({ kind: 'concurrent' })
    await slow.text()
    await until(async () => {
      const { error } = await stage.chat(echo)
      return error.details[0]!.kind === 'requests'
    })
    expect(stage.gateway.log.map(({ msg }) => msg)).toContain(
      'the store failed: this process counts limits alone',
    )
  })

  test('pitfall 6: a budget holds by the sum that was known last, and an unknown one refuses', async () => {
    await using scene = await stageOn({ key: [{ kind: 'cost', amount: '0.1', window: 'day' }] })
    const { stage, setAway } = scene
    setAway(true)
    const unknown = await stage.chat(echo)
    expect([unknown.status, unknown.error.details[0]!.code]).toEqual([503, 'limits_unavailable'])
    expect(unknown.headers.get('retry-after')).toBe('1')
    setAway(false)
    expect((await stage.chat(echo)).status).toBe(200)
    const [before] = await stage.settled()
    setAway(true)
    for (let call = 0; call < 3; call++) expect((await stage.chat(echo)).status).toBe(200)
    // What they cost waits in a file, and is charged once the store is back.
    await until(async () => (await filesIn(scene.spool)).length === 1)
    setAway(false)
    const spent = Number(before!.spent)
    await until(async () => {
      const [limit] = await stage.limits()
      return Math.abs(Number(limit!.spent) - 4 * spent) < 1e-12
    })
    await until(async () => (await filesIn(scene.spool)).length === 0)
  })

  test('a settlement that waited for the store alerts when it brings a budget to a share', async () => {
    await using scene = await stageOn({
      key: [{ kind: 'requests', amount: 4, window: 'day', alerts: [0.5] }],
    })
    const { stage, setAway } = scene
    const alerts = () =>
      stage.gateway.log.filter(({ msg }) => msg === 'a budget has reached a share of its amount')
    expect((await stage.chat(echo)).status).toBe(200)
    await stage.settled()
    setAway(true)
    expect((await stage.chat(echo)).status).toBe(200)
    await until(async () => (await filesIn(scene.spool)).length === 1)
    setAway(false)
    await until(async () => (await filesIn(scene.spool)).length === 0)
    expect(alerts()).toMatchObject([{ limit: 'key:a:requests:day', share: 0.5, spent: 2 }])
  })

  test('a settlement that the store has done is charged once, though its answer is lost', async () => {
    const store = openMemoryStore()
    const meter = store.meter()
    let losesAnswers = true
    const settle: Meter['settle'] = async (end) => {
      const states = await meter.settle(end)
      if (losesAnswers) throw new StoreUnavailable('The answer is lost on purpose.')
      return states
    }
    const spool = await mkdtemp(join(tmpdir(), 'dragoman-limits-'))
    await using stage = await limitStage({
      key: [{ kind: 'cost', amount: '0.1', window: 'day' }],
      store: { ...store, meter: () => ({ ...meter, settle }) },
      spool,
    })
    const spent = async () => Number((await stage.limits())[0]!.spent)
    await stage.chat(echo)
    await until(async () => (await filesIn(spool)).length > 0)
    losesAnswers = false
    await until(async () => (await filesIn(spool)).length === 0)
    const once = await spent()
    expect(once).toBeGreaterThan(0)
    await stage.chat(echo)
    await until(async () => (await spent()) > once)
    expect(await spent()).toBeCloseTo(2 * once, 12)
  })

  test('a strict budget refuses at once', async () => {
    await using scene = await stageOn({
      key: [{ kind: 'cost', amount: '0.1', window: 'day', strict: true }],
    })
    expect((await scene.stage.chat(echo)).status).toBe(200)
    await scene.stage.settled()
    scene.setAway(true)
    expect((await scene.stage.chat(echo)).status).toBe(503)
  })

  test('a limit that warns refuses nothing, and a key without limits does not notice', async () => {
    await using scene = await stageOn({ key: [{ kind: 'cost', amount: '0.1', action: 'warn' }] })
    scene.setAway(true)
    expect((await scene.stage.chat(echo)).status).toBe(200)
    await using free = await stageOn({})
    free.setAway(true)
    const { status, headers } = await free.stage.chat(echo)
    expect([status, headers.has('x-dragoman-stale')]).toEqual([200, false])
  })
})

/** The files of settlements in a spool. */
async function filesIn(spool: string): Promise<string[]> {
  const names = await readdir(spool, { recursive: true })
  return names.filter((name) => name.includes('settlements') && name.endsWith('.ndjson'))
}

describe('settlements that a killed process has left', () => {
  const limit = {
    id: 'key:a:requests:day',
    amount: 10,
    counts: { kind: 'budget', period: new Date().toISOString().slice(0, 10) },
    refuses: true,
    strict: false,
  }
  const end = { subject: 'key:a', hold: 'req_1', charges: [{ limit, amount: 3 }], unheld: true }
  const key = [{ kind: 'requests', amount: 10, window: 'day' }]

  /** A spool with the settlement of a process with the id of this one, as containers have it. */
  async function leave(store: string): Promise<string> {
    const spool = await mkdtemp(join(tmpdir(), 'dragoman-limits-'))
    const spill = openSpill({ directory: spool, store, of: 'settlements' })
    for (let time = 0; time < 2; time++) await spill.add(JSON.stringify(end))
    spill.leave()
    const [file] = await filesIn(spool)
    // The last line of a killed process may be a part of one.
    await appendFile(join(spool, file!), '{"subject":')
    return spool
  }

  test('are charged once by the next one, also one with the same id', async () => {
    const store = `file:${join(await mkdtemp(join(tmpdir(), 'dragoman-limits-')), 'store')}`
    const spool = await leave(store)
    await using stage = await limitStage({ spool, store, key })
    await until(async () => Number((await stage.limits())[0]!.spent) === 3)
    await until(async () => (await filesIn(spool)).length === 0)
    expect((await stage.limits())[0]!.spent).toBe(3)
  })

  test('are not charged in another store that has the same spool', async () => {
    const spool = await leave('redis://other')
    await using stage = await limitStage({ spool, key })
    expect((await stage.chat(echo)).status).toBe(200)
    expect((await stage.settled())[0]!.spent).toBe(1)
    expect(await filesIn(spool)).toHaveLength(1)
  })
})
