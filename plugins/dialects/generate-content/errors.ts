export { googleErrorFormat as generateError } from '../../../src/google-error-format.ts'
