import { describeCuts } from './cut.ts'

describeCuts((length) => length % 6 > 1)
