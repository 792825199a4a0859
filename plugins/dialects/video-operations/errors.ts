import { GatewayError } from '../../../src/errors.ts'

/** Never made, another key's, too old, or of another place: all look the same. */
export function noOperation(): GatewayError {
  return new GatewayError('not_found', 'Operation not found.')
}

export function noFile(): GatewayError {
  return new GatewayError('not_found', 'File not found.')
}
