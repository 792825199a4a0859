import { readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

import { nearest } from '../lib/nearest.ts'
import { ConfigurationError } from '../contract/problems.ts'

const baseName = 'dragoman.config'
const yamlExtensions = ['yaml', 'yml']
const dataExtensions = ['json', ...yamlExtensions]
const extensions = ['ts', 'mts', 'js', 'mjs', ...dataExtensions]

/**
 * The configuration file of a directory: `dragoman.config.{ts,mts,js,mjs,json,yaml,yml}`, or
 * `undefined`. Throws `ConfigurationError` when there are several, or one of an unsupported type.
 */
export function findConfiguration(directory: string): string | undefined {
  const named = entries(directory).filter((entry) => entry.startsWith(`${baseName}.`))
  const found = named.filter((entry) => isReadable(entry))
  const [first, ...others] = found
  if (others.length > 0) throw several(directory, found)
  if (first === undefined && named[0] !== undefined) throw unreadable(join(directory, named[0]))
  return first && join(directory, first)
}

/**
 * Returns the path of a configuration file; for a directory, the path of the configuration in it. Throws
 * `ConfigurationError` if the file does not exist or its type is not supported.
 */
export function locateConfiguration(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) throw missing(path)
  if (stats.isDirectory()) {
    const found = findConfiguration(path)
    if (found) return found
    throw missing(join(path, `${baseName}.ts`))
  }
  if (!isReadable(path)) throw unreadable(path)
  return path
}

function isReadable(path: string): boolean {
  return endsWithOneOf(path, extensions) && !path.endsWith('.d.ts')
}

/** Whether a configuration file contains data and no code. */
export function isDataFile(path: string): boolean {
  return endsWithOneOf(path, dataExtensions)
}

/** Whether a configuration file is YAML. */
export function isYamlFile(path: string): boolean {
  return endsWithOneOf(path, yamlExtensions)
}

function endsWithOneOf(path: string, endings: readonly string[]): boolean {
  return endings.some((extension) => path.endsWith(`.${extension}`))
}

function missing(path: string): ConfigurationError {
  const directory = dirname(path)
  const present = entries(directory)
  const alike = present.filter((entry) => entry.startsWith(baseName))
  const meant = nearest(basename(path), present)
  const suggestions = [...new Set([...(meant ? [meant] : []), ...alike])]
  return fileError(
    path,
    'no such file',
    suggestions.length > 0
      ? `did you mean ${suggestions.map((name) => join(directory, name)).join(' or ')}?`
      : 'give the path of a file that exists; relative paths start where the command is run',
  )
}

function several(directory: string, found: readonly string[]): ConfigurationError {
  return fileError(
    directory,
    `contains several configurations: ${found.join(', ')}`,
    'keep one of them, or choose with --config',
  )
}

function unreadable(path: string): ConfigurationError {
  return fileError(
    path,
    'is not a supported configuration file type',
    `write ${baseName}.ts (or ${extensions.slice(1).join(', ')})`,
  )
}

/** A `ConfigurationError` about a whole file. */
export function fileError(
  path: string,
  message: string,
  fix: string,
  cause?: unknown,
): ConfigurationError {
  return new ConfigurationError([{ path, message, fix }], cause === undefined ? {} : { cause })
}

function entries(directory: string): string[] {
  try {
    return readdirSync(directory).toSorted()
  } catch {
    return []
  }
}
