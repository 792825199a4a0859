/** The models in the lists. Every other name works as well. */
export const listedModels = [
  'sandbox/echo',
  'sandbox/tool',
  'sandbox/think',
  'sandbox/slow',
  'sandbox/flaky',
  'sandbox/whoami',
]
