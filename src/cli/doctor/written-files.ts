import { constants, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

import type { Settings } from '../../configuration/settings.ts'
import { directoryFault } from '../../storage/local/fault.ts'
import { spaceOf } from './disk.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

const mebibyte = 1024 * 1024

/** Free space below which a log fills its disk soon. */
const leastBytes = 64 * mebibyte

/** Whether logs and captures can be written where the configuration has them. Empty: the configuration has neither. */
export async function checkWrittenFiles({
  log,
  capture,
}: Pick<Settings, 'log' | 'capture'>): Promise<Finding[]> {
  const files = log.file === undefined ? [] : [checkLog(log.file)]
  const captures = capture ? [checkCaptures(capture)] : []
  return await Promise.all([...files, ...captures])
}

async function checkLog(path: string): Promise<Finding> {
  const name = 'log files'
  const fault = await fileFault(path)
  if (fault !== undefined) {
    const fix = 'create its directory for this user, or name another file in log.file'
    return fail(name, `${path} cannot be written (${fault}): lines are dropped.`, fix)
  }
  const { free } = await spaceOf(dirname(path))
  if (free >= leastBytes) return ok(name, `${path} can be written.`)
  const message = `${path} has ${Math.floor(free / mebibyte)} MiB left: then lines are dropped.`
  return warn(name, message, 'free some space, or name a file on another disk in log.file')
}

/** The code of what keeps a line from being appended to a file, which may be missing. The check creates none. */
async function fileFault(path: string): Promise<string | undefined> {
  try {
    const { O_WRONLY, O_APPEND, O_NONBLOCK } = constants
    const file = await open(path, O_WRONLY | O_APPEND | O_NONBLOCK)
    await file.close()
    return undefined
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException
    return code === 'ENOENT' ? await newFileFault(path) : code
  }
}

async function newFileFault(path: string): Promise<string | undefined> {
  const directory = dirname(path)
  const isDirectory = await stat(directory).then(
    (found) => found.isDirectory(),
    () => false,
  )
  return isDirectory ? await directoryFault(directory) : `there is no directory ${directory}`
}

async function checkCaptures({
  directory,
  maxBytes,
}: Exclude<Settings['capture'], false>): Promise<Finding> {
  const name = 'captures'
  const fix = 'name a directory with space that this user may write to in capture.directory'
  const fault = await directoryFault(directory)
  if (fault !== undefined) return fail(name, `${fault}: captures end at once.`, fix)
  const { free } = await spaceOf(directory)
  if (free >= maxBytes) return ok(name, `${directory} can be written.`)
  const message = `${directory} has ${Math.floor(free / mebibyte)} MiB, less than capture.maxBytes.`
  return warn(name, message, `free some space, lower capture.maxBytes, or ${fix}`)
}
