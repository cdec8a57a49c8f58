/**
 * The words that name work on a vehicle. The names of goods that the shop sells over the counter, such as a bottle of
 * oil, contain none of these words.
 */
const work =
  / (repair(s|ed|ing)?|replac(e|ed|es|ing)|replacement|install(s|ed|ing|ation)?|labor|diagnos(e|ed|is|tic|tics)|inspect(ed|ion)?|brakes|brake job|rotors|oil change|tune up|alignment|align|rotation|rotate|resurfac(e|ed|ing)|rebuil(d|t)|overhaul|flush|bleed|recharge|reassembl(e|y)|tear ?down|weld(ed|ing)?|balancing|(mile|brake|oil|lube|transmission|coolant|cooling system|ac|a c|fuel system|battery|tire|timing belt) service) /

/** Goods whose names contain a word for work: a repair manual, a replacement key. */
const goods =
  / ((repair|tune up|installation|inspection|recharge|rebuild) (manual|kit|kits|book|guide|sticker)|replacement (key|keys|fob|bulb|bulbs|remote|cap|mat|mats)|brakes? (cleaner|fluid bottle)|labor day) /g

/**
 * Returns whether the description of an invoice line names repair work, which needs an approved estimate
 * (docs/product.md 15.44; 16 CCR 3353).
 */
export function namesRepairWork(description: string): boolean {
  const words = description
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, ' ')
    .trim()
  return work.test(` ${words} `.replaceAll(goods, ' '))
}
