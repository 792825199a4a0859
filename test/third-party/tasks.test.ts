import { setTimeout as later } from 'node:timers/promises'

import { describe, expect, test } from 'vitest'

import { type GatewayPlugin, definePlugin } from '../../src/index.ts'
import { type TestGateway, createTestGateway, until } from '../../src/testing/index.ts'
import { askChat, stage } from './chat.ts'

const plugin = (tasks: NonNullable<GatewayPlugin['tasks']>, more: Partial<GatewayPlugin> = {}) =>
  definePlugin({ name: 'worker', tasks, ...more })

const messages = ({ log }: TestGateway) => log.map(({ msg }) => msg)

describe('a task of a plugin', () => {
  test('runs after the start, beside the calls, and ends with the gateway', async () => {
    const order: string[] = []
    const refresher = plugin(
      {
        async refresh({ signal, log, counters }) {
          order.push('task')
          log.info('refreshed', { total: await counters.add('refreshed', 1, { ttlMs: 60_000 }) })
          await later(3_600_000, undefined, { signal })
        },
      },
      { onStart: () => void order.push('start'), onDispose: () => void order.push('dispose') },
    )
    const gateway = await createTestGateway({ plugins: [refresher] })
    await until(() => messages(gateway).includes('refreshed'))
    expect(gateway.log).toContainEqual(
      expect.objectContaining({ plugin: 'worker', msg: 'refreshed', total: 1 }),
    )
    await gateway[Symbol.asyncDispose]()
    expect(order).toEqual(['start', 'task', 'dispose'])
    // It ended as it was asked to: that is no failure.
    expect(gateway.log.filter(({ level }) => level === 'error')).toEqual([])
  })

  test('that ends by itself is logged, and does not run again', async () => {
    let runs = 0
    await using gateway = await createTestGateway({
      plugins: [plugin({ once: () => void runs++ })],
    })
    await until(() => messages(gateway).includes('the task once has ended'))
    expect(runs).toBe(1)
  })

  test.each<[string, () => Promise<void>]>([
    [
      'throws',
      () => {
        throw new Error('no disk')
      },
    ],
    ['rejects', () => Promise.reject(new Error('no disk'))],
  ])('that %s is logged with its plugin, and the others and the calls go on', async (_, broken) => {
    let isAlive = false
    const tasks = {
      broken,
      async alive({ signal }: { readonly signal: AbortSignal }) {
        isAlive = true
        await later(3_600_000, undefined, { signal })
      },
    }
    await using scene = await stage({ plugins: [plugin(tasks)] })
    const { gateway } = scene
    await until(() => messages(gateway).includes('worker: the task broken failed'))
    expect(gateway.log).toContainEqual(
      expect.objectContaining({ level: 'error', error: 'Error: no disk' }),
    )
    expect(isAlive).toBe(true)
    expect((await askChat(gateway)).status).toBe(200)
  })

  test('that ignores its signal holds the end up for a bounded time only', async () => {
    let disposed = false
    const deaf = plugin(
      { deaf: () => new Promise(() => {}) },
      { onDispose: () => void (disposed = true) },
    )
    const gateway = await createTestGateway({ plugins: [deaf] })
    await gateway[Symbol.asyncDispose]()
    expect(disposed).toBe(true)
    expect(gateway.log).toContainEqual(
      expect.objectContaining({
        msg: 'worker: the task deaf failed',
        error: 'Error: It did not end within 2000 ms after its signal.',
      }),
    )
  })
})
