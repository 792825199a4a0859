import { GatewayError } from '../../src/contract/errors.ts'

/** The error that a client gets instead of a file. */
export async function refusalOf(fetched: Promise<unknown>): Promise<GatewayError> {
  const thrown = await fetched.then(
    () => new Error('There was a file.'),
    (error: unknown) => error,
  )
  if (!GatewayError.isInstance(thrown)) throw thrown
  return thrown
}
