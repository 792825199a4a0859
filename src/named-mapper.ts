import { GatewayError } from './errors.ts'
import type { EventMapper } from './generate/mapper.ts'

/**
 * A plugin's mapper whose failures tell whose they are. What fails behind it is not its own, and what
 * it means to tell the client stays as it is.
 */
export function namedMapper(plugin: string, mapper: EventMapper): EventMapper {
  return {
    push(event, emit) {
      let behind: { error: unknown } | undefined
      try {
        mapper.push(event, (changed) => {
          try {
            emit(changed)
          } catch (error) {
            behind = { error }
            throw error
          }
        })
      } catch (error) {
        if (behind?.error === error || GatewayError.isInstance(error)) throw error
        throw new Error(`Plugin "${plugin}" failed in onEvents: ${wordsOf(error)}`, {
          cause: error,
        })
      }
    },
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
