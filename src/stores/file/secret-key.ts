import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

import { StoreUnavailable } from '../store.ts'

/**
 * The text of the key with which this directory's secrets are sealed where the environment has no key.
 * Creates it if it is missing; only its owner can read it. Throws `StoreUnavailable`.
 */
export function ownSecretKey(directory: string): string {
  const file = join(directory, 'secret.key')
  try {
    return read(file) ?? create(file)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new StoreUnavailable(`The key of the store's secrets cannot be used: ${reason}.`, {
      cause,
    })
  }
}

function read(file: string): string | undefined {
  let text
  try {
    text = readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  if (text.length >= 32) return text
  throw new Error(`${file} has fewer than 32 characters`)
}

/** The file appears as a whole, and the first of several processes decides its content. */
function create(file: string): string {
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  const descriptor = openSync(draft, 'wx', 0o600)
  try {
    writeSync(descriptor, `${randomBytes(32).toString('base64url')}\n`)
    fsyncSync(descriptor)
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    closeSync(descriptor)
    rmSync(draft, { force: true })
  }
  const created = read(file)
  if (created === undefined) throw new Error(`${file} does not exist`)
  return created
}
