import { expect, test } from 'vitest'

import { Line } from '../../src/cli/reload/index.ts'

test('a hundred requests while one runs make one more run, after it', async () => {
  const line = new Line()
  const begun: PromiseWithResolvers<number>[] = []
  const reload = line.add(() => {
    const run = Promise.withResolvers<number>()
    begun.push(run)
    return run.promise
  })
  const first = reload()
  await Promise.resolve()
  const others = Array.from({ length: 100 }, reload)
  await Promise.resolve()
  expect(begun).toHaveLength(1)
  begun[0]!.resolve(1)
  expect(await first).toBe(1)
  await Promise.resolve()
  begun[1]!.resolve(2)
  expect(new Set(await Promise.all(others))).toEqual(new Set([2]))
  expect(begun).toHaveLength(2)
})

test('works of all kinds run one after another, also behind one that fails', async () => {
  const line = new Line()
  const done: string[] = []
  const check = line.add(async () => {
    done.push('check begins')
    await Promise.resolve()
    done.push('check ends')
    throw new Error('a problem')
  })
  const reload = line.add(async () => void done.push('reload'))
  const [checked] = await Promise.allSettled([check(), reload()])
  expect(checked.status).toBe('rejected')
  expect(done).toEqual(['check begins', 'check ends', 'reload'])
})
