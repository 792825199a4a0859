import type { OperationInfo, OperationShape } from '../contract/dialect-info.ts'

const methods: ReadonlySet<string> = new Set(
  'GET HEAD POST PUT DELETE OPTIONS PATCH CONNECT TRACE'.split(' '),
)

/** The label of a method: clients may send any word. */
export function methodLabel(method: string): string {
  return methods.has(method) ? method : '_OTHER'
}

/** Statuses that have a name somewhere. Providers may send any other one. */
export const knownStatuses: ReadonlySet<number> = new Set(
  (
    '200 201 202 203 204 205 206 207 208 226 300 301 302 303 304 305 307 308 400 401 402 403 404 405 406 ' +
    '407 408 409 410 411 412 413 414 415 416 417 418 421 422 423 424 425 426 428 429 431 451 498 499 500 ' +
    '501 502 503 504 505 506 507 508 510 511 520 521 522 523 524 525 526 529 530'
  )
    .split(' ')
    .map(Number),
)

/** The label of a status: of one that no standard has, the class. */
export function statusLabel(status: number): string {
  return knownStatuses.has(status) ? String(status) : `${Math.trunc(status / 100)}xx`
}

/** The first path of an operation, a pattern; `''` for a request without one: its path is the client's. */
export function routeLabel(
  operation: (OperationInfo & Partial<Pick<OperationShape, 'paths'>>) | undefined,
): string {
  return operation === undefined ? '' : routePattern(operation.paths?.[0] ?? operation.id)
}

/** A path of an operation as `http.route` has it: `/{version}/models/{model}`, without the patterns of its parameters. */
export function routePattern(path: string): string {
  return path.replace(/\{(\w+)[^}]*\}/g, '{$1}')
}
