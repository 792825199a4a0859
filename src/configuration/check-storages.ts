import type { GatewayPlugin } from '../plugin.ts'
import { localName } from '../storage/settings.ts'
import { isStorageName } from '../storage/shelf.ts'
import type { Problem } from './problems.ts'

const methods = ['upload', 'visit', 'open'] as const

/** Tells of storages of a plugin that cannot work. Its list has been checked to be one. */
export function checkStorages({ storages = [] }: GatewayPlugin, path: string): Problem[] {
  const names = new Set<unknown>()
  return storages.flatMap((storage: unknown, index) => {
    const at = `${path}.storages[${index}]`
    const given = Object(storage) as Record<string, unknown>
    const { name, places } = given
    const isNew = typeof name === 'string' && !names.has(name) && name !== localName
    names.add(name)
    const found = isNew && isStorageName(name) ? [] : [unfitName(`${at}.name`)]
    if (!Array.isArray(places) || places.length === 0) found.push(noPlaces(`${at}.places`))
    const missing = methods.filter((method) => typeof given[method] !== 'function')
    return [...found, ...missing.map((method) => noMethod(at, method))]
  })
}

function unfitName(path: string): Problem {
  return {
    path,
    message: 'is no name for a storage, or one that another has',
    fix: 'use small letters, digits and hyphens, and neither local nor the name of another scheme',
  }
}

function noPlaces(path: string): Problem {
  const fix = "write places: [{ region: undefined, root: '' }] where there is one alone"
  return { path, message: 'must be a list of at least one place', fix }
}

function noMethod(path: string, method: string): Problem {
  const message = 'must be a function'
  return { path: `${path}.${method}`, message, fix: `write async ${method}(file) { ... }` }
}
