/** A gateway that ends like `kill -9` at one point of an act. Arguments: the URL of a store, the point. */
import { openStore } from '../../src/stores/open.ts'
import type { Records, Store } from '../../src/stores/store.ts'
import { startAdminGateway } from './admin-gateway.ts'

/** A call of the store, and whether the process ends before or after it. */
export type Point = `${'before' | 'after'} ${'the record' | 'the act' | 'the result'}`

const [url = '', point = ''] = process.argv.slice(2)

function end(here: Point): void {
  if (here === point) process.kill(process.pid, 'SIGKILL')
}

async function around<R>(call: 'the record' | 'the act' | 'the result', write: () => Promise<R>) {
  end(`before ${call}`)
  const result = await write()
  end(`after ${call}`)
  return result
}

function deadly(store: Store): Store {
  return {
    ...store,
    records<T>(...parameters: Parameters<Store['records']>): Records<T> {
      const records = store.records<T>(...parameters)
      let writes = 0
      switch (parameters[0]) {
        case 'audit':
          return {
            ...records,
            set: (...entry) =>
              around(writes++ === 0 ? 'the record' : 'the result', () => records.set(...entry)),
          }
        case 'keys':
          return { ...records, add: (...entry) => around('the act', () => records.add(...entry)) }
        default:
          return records
      }
    },
  }
}

const gateway = await startAdminGateway({ store: deadly(await openStore(url, { cwd: '/' })) })
process.stdout.write(`${JSON.stringify([gateway.adminUrl, gateway.token('admin')])}\n`)
