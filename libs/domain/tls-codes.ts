const TLS_CODES = /^(CERT_|DEPTH_ZERO_|EPROTO$|ERR_OSSL_|ERR_SSL_|ERR_TLS_|HOSTNAME_MISMATCH$|INVALID_CA$|SELF_SIGNED_|UNABLE_TO_)/;

/** Whether the code of an error, by Node or by OpenSSL, is that of a TLS that failed: mostly of a certificate that is not, or no longer, right. */
export const isTlsCode = (code: string): boolean => TLS_CODES.test(code);
