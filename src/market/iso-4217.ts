/**
 * The currencies of ISO 4217, List One as published on 2024-06-25 by the standard's maintenance
 * agency (SIX), with XCG of its amendment 176, by their number of decimal digits. Codes without
 * digits, such as that of gold, are left out because no copy is sold in them. The table is pinned
 * because the one in Node's ICU differs from the standard and changes between releases.
 */
const CODES_BY_DIGITS: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2:
    'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD ' +
    'CDF CHE CHF CHW CNY COP COU CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP ' +
    'GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL ' +
    'MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN ' +
    'QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD ' +
    'TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

const digitsByCode: ReadonlyMap<string, number> = new Map(
  Object.entries(CODES_BY_DIGITS).flatMap(([digits, codes]) =>
    codes.split(' ').map((code) => [code, Number(digits)] as const),
  ),
);

/** The number of decimal digits of a currency; `undefined` for a code that is no currency. */
export const digitsOf = (currency: string): number | undefined => digitsByCode.get(currency);

/** A currency that copies are sold in. */
export interface Currency {
  readonly code: string;
  readonly digits: number;
}

/** The currencies in the order of their codes. */
export const currencies: readonly Currency[] = [...digitsByCode]
  .map(([code, digits]) => ({ code, digits }))
  .sort((one, other) => (one.code < other.code ? -1 : 1));
