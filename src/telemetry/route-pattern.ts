/** A path of an operation as `http.route` has it: `/{version}/models/{model}`, without what a parameter may be. */
export function routePattern(path: string): string {
  return path.replace(/\{(\w+)[^}]*\}/g, '{$1}')
}
